import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFurtherKey } from '@candleproof/check/target/read-key';
import { called } from '@candleproof/command/called';
import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { expect, test } from '@playwright/test';
import { openConfig, parseConfig } from './config.ts';
import { describeConfigured } from './described.ts';
import { newConfigText } from './new-config.ts';

const good = `version: 1
overlays: []
keys:
  main:
    env: \${MAIN_KEY}
    limit: 10000
targets:
  mainnet:
    baseUrl: https://api.example
    key: main
    pools: { v1: [1], v2: [1, 2] }
    baseline: known/mainnet.yaml
  testnet:
    baseUrl: \${TEST_URL}
    keyless: true
    caFile: /etc/ca.pem
    pools: { v2: [3] }
`;
const config = parseConfig(good, 'team/candleproof.yaml');
const env = { MAIN_KEY: 'k'.repeat(32), TEST_URL: 'https://test.example' };

test('a target is described as its flags would', () => {
  const { flags, apiKey, configured, terms } = describeConfigured(config, 'mainnet', env, true);
  expect(flags).toMatchObject({
    baseUrl: 'https://api.example',
    pools: ['v1=1', 'v2=1,2'],
    keyless: false,
  });
  expect(apiKey).toBe(env.MAIN_KEY);
  expect(configured.place).toEqual({ file: 'team/candleproof.yaml', line: 8 });
  expect(configured.baseline).toMatch(/team\/known\/mainnet\.yaml$/);
  expect(terms?.shares.reserve).toBe(10);
  expect(describeConfigured(config, 'testnet', env, true).flags).toMatchObject({
    baseUrl: env.TEST_URL,
    caFile: '/etc/ca.pem',
  });
});

test('a further key comes from its variable or file, and not from the environment of the command line', () => {
  const name = ['$', '{APP}'].join('');
  const text = good.replace(
    /( {4}env: .*\n)/,
    `$1    further: { app-id: { env: '${name}' }, secret: { file: s.key } }\n`,
  );
  const described = parseConfig(text, 'team/candleproof.yaml');
  const { furtherKeys } = describeConfigured(described, 'mainnet', { ...env, APP: 'app-key-of-env' }, true);
  expect(readFurtherKey('app-id', { CANDLEPROOF_API_KEY_APP_ID_FILE: 'other', ...furtherKeys })).toBe(
    'app-key-of-env',
  );
  expect(furtherKeys.CANDLEPROOF_API_KEY_SECRET_FILE).toMatch(/team\/s\.key$/);
  expect(() => describeConfigured(described, 'mainnet', env, true)).toThrow(/needs \$\{APP\}: set it/);
  expect(describeConfigured(described, 'mainnet', env, false).furtherKeys).toEqual({});
  const both = text.replace('file: s.key', `file: s.key, env: '${name}'`);
  expect(() => parseConfig(both, 'c.yaml')).toThrow(/key "secret" needs env or file, and not both/);
});

const mistakes: [what: string, from: string | RegExp, to: string, says: RegExp][] = [
  [
    'an unknown field',
    'overlays: []',
    'overlaps: []',
    /:2: "overlaps" is unknown here: use version, spec, overlays/,
  ],
  [
    'a field of the top',
    '    key: main\n',
    '    key: main\n    spec: api.yaml\n',
    /:11: "spec" is unknown here: move it to the top of the file, or use baseUrl/,
  ],
  [
    'a key in the open',
    /\$\{MAIN_KEY\}/,
    'k'.repeat(32),
    /:5: "env" does not hold .*never stands in this file/,
  ],
  ['a key from nowhere', / {4}env: \$\{MAIN_KEY\}\n/, '', /:4: key "main" needs env or file, and not both/],
  ['a key that is not there', 'key: main', 'key: other', /:10: there is no key "other": add it under keys/],
  ['a target without a key', '    key: main\n', '', /:8: target "mainnet" needs key, or keyless: true/],
  ['no pool at all', '{ v2: [3] }', '{ v2: [] }', /:17: target "testnet" has no pool/],
  ['a pool that is none', '[1, 2]', '[one]', /:11: "one" is no pool id as the document has them/],
  ['another version', 'version: 1', 'version: 2', /:1: .*the version of this format, 1/],
  ['a target called local', '  testnet:', '  local:', /:13: local is the embedded service/],
  [
    'shares that are not the whole',
    'limit: 10000',
    'shares: { check: 50, monitor: 10, load: 0, confirm: 0, reserve: 0 }',
    /:6: the shares of "main" make 60 percent/,
  ],
  ['broken YAML', 'version: 1', 'version: [', /:2: /],
];

for (const [what, from, to, says] of mistakes) {
  test(`${what} is named with its line and mend`, () => {
    const text = good.replace(from, () => to);
    expect(() => parseConfig(text, 'c.yaml')).toThrow(says);
    expect(() => parseConfig(text, 'c.yaml')).toThrow(/^--config: c\.yaml:\d+: [^\n]*$/);
  });
}

test('a key that is almost spelt right is put right, and is not missing beside', () => {
  const refusal = (from: RegExp, to: string): unknown => {
    try {
      return parseConfig(good.replace(from, to), 'c.yaml');
    } catch (error) {
      return String(error);
    }
  };
  expect(refusal(/pools:/, 'pool:')).toMatch(/c\.yaml:\d+: "pool" is unknown here: write pools$/);
  expect(refusal(/baseUrl:/, 'base-url:')).toMatch(/"base-url" is unknown here: write baseUrl$/);
});

test('a name or a variable that is missing is named', () => {
  expect(() => describeConfigured(config, 'prod', env, true)).toThrow(
    /no target is called "prod".* has mainnet, testnet/,
  );
  expect(() => describeConfigured(config, 'mainnet', {}, true)).toThrow(
    /:8: target "mainnet" needs \$\{MAIN_KEY\}: set it/,
  );
  expect(describeConfigured(config, 'mainnet', {}, false).apiKey).toBeUndefined();
});

test('a config that is made new can be read', () => {
  const text = newConfigText(
    {
      name: 'a.host',
      baseUrl: 'https://a.host',
      pools: { v1: [1], v2: [] },
      key: { env: 'A_KEY' },
      shared: true,
      limit: 500,
    },
    dirname('/x/candleproof.yaml'),
  );
  const made = parseConfig(text, '/x/candleproof.yaml');
  expect(describeConfigured(made, 'a.host', { A_KEY: 'a'.repeat(32) }, true)).toMatchObject({
    apiKey: 'a'.repeat(32),
    flags: { pools: ['v1=1'], sharedKey: true },
    terms: { limit: 500 },
  });
  expect(text).not.toContain('undefined');
});

test('the shipped config is ready to be filled in', () => {
  const file = join('deploy', 'candleproof.yaml');
  const { targets, keys } = parseConfig(readFileSync(file, 'utf8'), file);
  expect(Object.keys(targets)).toEqual(['testnet', 'mainnet']);
  expect(targets.testnet?.keyless).toBe(true);
  expect(keys.main?.env).toBe(`\${CANDLEPROOF_API_KEY}`);
});

test('a config with very many unknown keys is refused as fast as one with a few', () => {
  const unknown = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join('');
  const spent = measureProcessorMs(() =>
    expect(() => parseConfig(`version: 1\n${unknown}`, 'c.yaml')).toThrow(
      /"targets" is missing.* \(and 20000 more\)$/,
    ),
  );
  // Comparing each key with all others would take half a minute.
  expect(spent).toBeLessThan(4000);
});

test('a key that stands twice is named with its line, in a map of any kind', () => {
  for (const [again, says] of [
    [
      'version: 1\nversion: 1',
      'c.yaml:2: "version" stands here twice, first in line 1: leave one out, in a copy if the file is not yours',
    ],
    [
      'version: 1\ntargets:\n  a: {}\n  a: {}',
      'c.yaml:4: "a" stands here twice, first in line 3: leave one out, in a copy if the file is not yours',
    ],
    [
      '{ version: 1, "version": 1 }',
      'c.yaml:1: "version" stands here twice, first in line 1: leave one out, in a copy if the file is not yours',
    ],
  ] as const)
    expect(() => parseConfig(again, 'c.yaml')).toThrow(new Error(`--config: ${says}`));
});

test('a file that is no config by its size alone is not read', () => {
  const file = test.info().outputPath('candleproof.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Array.from({ length: 90_000 }, (_, index) => `k${index}: 1\n`).join(''));
  expect(() => openConfig(file)).toThrow(
    /candleproof\.yaml: it holds more than 262144 bytes; give a smaller one$/,
  );
});

test('a config is parsed once for all of its targets, and again when it changes', () => {
  const file = test.info().outputPath('candleproof.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, good);
  const first = openConfig(file);
  expect(openConfig(file)).toBe(first);
  writeFileSync(file, good.replace('limit: 10000', 'limit: 20000'));
  expect(openConfig(file)?.keys.main?.limit).toBe(20_000);
});

test('a config is found in a parent folder up to the root of the repository, and named', async () => {
  const root = test.info().outputPath('repository');
  const folder = join(root, 'services', 'api');
  mkdirSync(folder, { recursive: true });
  const target =
    'version: 1\ntargets:\n  ours: { baseUrl: https://host.invalid, keyless: true, pools: { v1: [1] } }\n';
  writeFileSync(join(root, 'candleproof.yml'), target);
  const before = process.cwd();
  const plan = async (): Promise<{ code: number | null; stdout: string; stderr: string }> => {
    process.chdir(folder);
    try {
      return await called(['plan']);
    } finally {
      process.chdir(before);
    }
  };
  mkdirSync(join(root, 'services', '.git'));
  expect((await plan()).stdout, 'nothing is taken from beyond a repository').toContain(
    'A check of local sends:',
  );
  rmdirSync(join(root, 'services', '.git'));
  mkdirSync(join(root, '.git'));
  const found = await plan();
  expect(found.stdout).toContain('A check of ours sends:');
  expect(found.stderr).toBe(`candleproof: config ${join('..', '..', 'candleproof.yml')}\n`);
});

test('standard input is refused as a config in words', async () => {
  const { code, stderr } = await called(['plan', '--config', '-']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^candleproof: --config: - is no file: .*\n$/)]);
});
