import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { damageExchange, replaceRequest, rows } from '../../worlds/damage.ts';
import { days } from '../rollup/rollup.breaches.ts';
import { isolated } from './history.breaches.ts';

const without = (from: number, count: number) => rows((list) => list.toSpliced(from, count));

const complete = { rule: 'history/complete', pointer: '' } as const;

export const completenessBreaches: readonly BreachCase[] = [
  {
    ...complete,
    at: 'recent HOUR of 2',
    what: 'one hour less',
    damage: without(10, 1),
    expected: 'a candle for each of 46 HOUR intervals',
    actual: '1 missing: 2026-03-16T21:00:00Z',
  },
  {
    ...complete,
    at: 'recent HOUR of 1',
    what: 'a cap that keeps the newest forty',
    damage: rows((list) => list.slice(-40)),
    expected: 'a candle for each of 47 HOUR intervals',
    actual: '8 missing: 2026-03-16T11:00:00Z, 2026-03-16T12:00:00Z, 2026-03-16T13:00:00Z, …',
  },
  {
    ...complete,
    at: 'recent HOUR of 1',
    what: 'a cap that keeps the oldest forty',
    damage: rows((list) => list.slice(0, 40)),
    expected: 'a candle for each of 47 HOUR intervals',
    actual:
      '7 missing: 2026-03-18T03:00:00Z, 2026-03-18T04:00:00Z, 2026-03-18T05:00:00Z, …; FIVEMIN has rows from 2026-03-18T06:40:00Z: rows were lost',
  },
  {
    ...complete,
    at: 'recent HOUR of 2',
    what: 'three hours less',
    damage: without(10, 3),
    expected: 'a candle for each of 46 HOUR intervals',
    actual: '3 missing: 2026-03-16T21:00:00Z, 2026-03-16T22:00:00Z, 2026-03-16T23:00:00Z',
    drawn: 16,
  },
  {
    ...complete,
    at: 'recent HOUR of 2',
    what: 'the last closed hours, and the open one',
    damage: without(-4, 4),
    expected: 'a candle for each of 46 HOUR intervals',
    actual:
      '3 missing: 2026-03-18T07:00:00Z, 2026-03-18T08:00:00Z, 2026-03-18T09:00:00Z; no rows from 2026-03-18T07:00:00Z on, although other pools continue',
    drawn: 8,
  },
  {
    ...complete,
    at: 'week HOUR spelt',
    what: 'one hour less than the same range held before',
    damage: without(20, 1),
    expected: 'a candle for each of 166 HOUR intervals',
    actual:
      '1 missing: 2026-03-09T20:00:00Z; another answer has the row from 2026-03-09T20:00:00Z: rows were lost',
  },
  {
    ...complete,
    what: 'a day less in a zone where days do not begin with those of UTC',
    world: { dayPhase: 18.5 * 3600 },
    whole: days(without(3, 1)),
    expected: /^a candle for each of \d DAY intervals$/,
    actual: /^1 missing: 2026-03-1\dT18:30:00Z; HOUR has rows from 2026-03-1\dT19:00:00Z: rows were lost$/,
  },
  {
    ...complete,
    what: 'an hour less when the same is requested again',
    whole: (recorded) =>
      damageExchange(replaceRequest(recorded, 'no DAY', 'recent HOUR of 2'), 'no DAY', without(10, 1)),
    expected: 'a candle for each of 46 HOUR intervals',
    actual:
      '1 missing: 2026-03-16T21:00:00Z; another answer has the row from 2026-03-16T21:00:00Z: rows were lost',
  },
];

export const completenessNearMisses: readonly NearMiss[] = [
  { ...isolated, rule: 'history/complete', what: 'no open hour', damage: without(-1, 1) },
  { ...isolated, rule: 'history/complete', what: 'no hour at the edge of the range', damage: without(0, 1) },
  {
    ...isolated,
    rule: 'history/complete',
    what: 'no candle of the hour that is settling',
    world: { now: Date.parse('2026-03-18T10:01:30Z') / 1000 },
    damage: without(-2, 2),
  },
  { ...isolated, rule: 'history/complete', what: 'a pool of ten hours', world: { ages: [1e9, 36_000] } },
];
