import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { addTarget } from './new-config.ts';

const target = {
  ...{ name: 'second', baseUrl: 'https://b.host', pools: { v1: [1] } },
  ...{ key: { file: 'b.key' }, shared: false },
};

const ours = `# ours
version: 1   # the format

keys:
  main: { env: '\${KEY}' } # never shared
targets:
  # the first
  first: # of two
    baseUrl: https://a.host
    pools: { v1: [1,2] }

# later
maintenance: []
`;

const texts: readonly (readonly [name: string, text: string])[] = [
  ['with comments', ours],
  ['whose targets come last', ours.slice(0, ours.indexOf('\n# later'))],
  ['without keys', ours.replace(/keys:\n.*\n/, '')],
  ['without a last line end', 'version: 1\ntargets:\n  first: { baseUrl: https://a.host }'],
];

for (const [name, text] of texts) {
  test(`a config ${name} gets a target, and its lines stay as they are`, () => {
    const added = addTarget(text, target);
    let at = 0;
    for (const line of text.trimEnd().split('\n')) {
      at = added.indexOf(line, at);
      expect(at, line).not.toBe(-1);
    }
    expect(parse(added)).toMatchObject(parse(text));
    expect(parse(added).targets.second).toMatchObject({ baseUrl: 'https://b.host' });
    expect(Object.values(parse(added).keys)).toContainEqual(expect.objectContaining({ file: 'b.key' }));
  });
}

test('a config in JSON gets a target and loses nothing', () => {
  const text = '{ "version": 1, "targets": { "first": { "baseUrl": "https://a.host" } } }';
  expect(parse(addTarget(text, target))).toMatchObject({
    ...JSON.parse(text),
    targets: { first: { baseUrl: 'https://a.host' }, second: { key: 'main' } },
  });
});
