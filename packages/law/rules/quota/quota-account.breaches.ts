import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { all, count, header, status } from '../../worlds/damage.ts';
import { names } from './quota.breaches.ts';

const history = { operation: 'listV2PoolCandles' } as const;
const back = (by: number) => count(names.remaining, (left) => left + by);

/** The counters of answers to the run's key that are not successes. */
export const accountBreaches: readonly BreachCase[] = [
  {
    ...history,
    rule: 'quota/limit-is-constant',
    what: 'a refusal to our key that shows another limit',
    at: 'interval-unknown',
    damage: all(
      count(names.limit, () => 500),
      count(names.remaining, () => 500),
    ),
    pointer: `header:${names.limit}`,
    expected: '10000, as before',
    actual: '500',
  },
  {
    ...history,
    rule: 'quota/additional-only-beyond-limit',
    what: 'a refusal to our key that counts it as additional',
    at: 'interval-unknown',
    damage: count(names.additional, () => 1),
    pointer: `header:${names.additional}`,
    expected: '0 while 9853 requests remain',
    actual: '1',
    also: ['quota/never-runs-backwards'],
  },
  {
    ...history,
    rule: 'quota/reset-is-in-milliseconds',
    what: 'a refusal to our key with a reset in seconds',
    at: 'interval-unknown',
    damage: count(names.reset, (reset) => Math.floor(reset / 1000)),
    pointer: `header:${names.reset}`,
    expected: 'Unix milliseconds',
    actual: /^\d{10}$/,
  },
  {
    ...history,
    rule: 'quota/parallel-counts-differ',
    what: 'one of several at once with the count of the answer before them all',
    at: 'week DAY inverted',
    damage: count(names.remaining, () => 9867),
    pointer: `header:${names.remaining}`,
    expected: 'another count than every answer beside it and the one before',
    actual: '133 requests used',
  },
];

export const accountNearMisses: readonly NearMiss[] = [
  {
    rule: 'quota/never-runs-backwards',
    what: 'a refusal that was counted',
    at: 'pool-unknown',
    damage: back(-0),
  },
  {
    rule: 'quota/never-runs-backwards',
    what: 'counters of nobody beside a key that was not taken',
    at: 'interval-unknown',
    damage: all(status(403), header(names.limit, '0'), header(names.remaining, '0')),
  },
  {
    rule: 'quota/never-runs-backwards',
    what: 'an error of the server that lost the count',
    at: 'interval-unknown',
    damage: all(status(503), back(5)),
  },
];
