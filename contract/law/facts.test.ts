import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { catalogue } from './catalogue.ts';
import { ruleFacts, ruleGroup } from './facts.ts';

/** Rooms that judge, run, watch and report by whatever rules there are. */
const rooms = [
  'contract/{judge,relations,reading}',
  'conformance',
  'reports',
  'monitors',
  'results',
  'traffic',
];

const groups = [...new Set([...catalogue.rules, ...catalogue.questions].map(({ id }) => ruleGroup(id)))];
const named = new RegExp(`(['"\`])(${groups.join('|')})/[a-z-]*\\1|\\b(${groups.join('|')})\\)?\\\\/`);

test('every rule has the facts of its group', () => {
  expect(catalogue.rules.filter((rule) => ruleFacts(rule) === undefined)).toEqual([]);
});

test('no room but the law knows a rule or a group by its name', () => {
  const sources = rooms
    .flatMap((room) => globSync(`${room}/**/*.ts`))
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  expect(sources.length).toBeGreaterThan(300);
  const listed = sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => named.test(line) && !/^\s*(\/\/|\/?\*|import )/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(listed).toEqual([]);
});
