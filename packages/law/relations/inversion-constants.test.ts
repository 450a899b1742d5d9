import { expect, test } from '@playwright/test';
import { judgeIt, spec } from '../worlds/breach-case.ts';
import { damageExchange, type Fields, fields, withoutRequests } from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

const inversionRules = /^inversion\/(first-and-last|constant-is)/;

/** Our document, but with one numbering for the pools of all operations. */
const oneSpace = { ...spec, operations: spec.operations.map((operation) => ({ ...operation, space: 'v2' })) };

function listBroken(recorded: NamedRecording, document = spec): string[] {
  const { findings } = judgeIt(recorded, document);
  return findings
    .filter(({ rule }) => inversionRules.test(rule))
    .map(({ rule, operation }) => `${rule} ${operation}`);
}

const halfMore = ({ open, high, low, close, avg }: Fields): Fields =>
  Object.fromEntries(
    Object.entries({ open, high, low, close, avg }).map(([name, price]) => [name, 1.5 * Number(price)]),
  );

const latestHalfMore = damageExchange(
  withoutRequests(record(usualWorld), 'latest HOUR of 2'),
  'latest HOUR inverted',
  fields(0, halfMore),
);

test('a latest candle and a history share their constant where the document numbers their pools alike', () => {
  expect(listBroken(latestHalfMore, oneSpace)).toEqual([
    'inversion/first-and-last-are-inverse getLatestV1PoolCandle',
  ]);
});

test('pools of two spaces have a constant each', () => {
  expect(listBroken(latestHalfMore)).toEqual(['inversion/constant-is-a-power-of-ten getLatestV1PoolCandle']);
});
