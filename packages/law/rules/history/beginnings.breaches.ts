import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { all, rows } from '../../worlds/damage.ts';

const rule = 'history/intervals-begin-together';
const begins = { rule, at: 'week FIVEMIN', pointer: '' } as const;

/** Keeps the rows from a time on. */
const keepFrom = (start: string) =>
  rows((list) => list.filter((row) => Number(row.startTimestampSeconds) >= Date.parse(start) / 1000));

export const beginningBreaches: readonly BreachCase[] = [
  {
    ...begins,
    at: 'week FIVEMIN',
    what: 'a cap of 250 rows that nobody declared',
    damage: rows((list) => list.slice(-250)),
    expected: 'a candle for each of 286 FIVEMIN intervals, as far back as other intervals reach',
    actual:
      /^37 missing: .*; no FIVEMIN candle before 2026-03-15T03:10:00Z, but the hourly candle .*; exactly 250 rows came: if that is your limit, x-max-rows: 250$/,
  },
  {
    ...begins,
    at: 'week FIVEMIN',
    what: 'five-minute candles of two days alone, and nothing for the day before, which hours show',
    damage: rows(() => []),
    expected: 'a candle for each of 286 FIVEMIN intervals, as far back as other intervals reach',
    actual:
      /^286 missing: .*; no FIVEMIN candle before 2026-03-18T06:40:00Z, but the hourly candle from 2026-03-15T01:00:00Z holds more than its remaining rows$/,
  },
  {
    ...begins,
    rule: 'history/complete',
    what: 'a gap in five-minute candles after older ones, which is no past that stops',
    damage: rows((list) => list.toSpliced(3, 200)),
    expected: 'a candle for each of 286 FIVEMIN intervals',
    actual: /^200 missing: .*: rows were lost$/,
  },
  {
    ...begins,
    what: 'a past that stops, and a row less after it, which was lost',
    damage: all(
      keepFrom('2026-03-15T12:00:00Z'),
      rows((list) => list.toSpliced(20, 1)),
    ),
    expected: 'a candle for each of 286 FIVEMIN intervals, as far back as other intervals reach',
    actual: /^143 missing: .*; no FIVEMIN candle before 2026-03-15T12:00:00Z, but /,
    also: ['history/complete'],
  },
];

export const beginningNearMisses: readonly NearMiss[] = [
  { rule, what: 'a pool that was born in the closed week', world: { poolsV2: [1], ages: [5 * 86_400] } },
  { rule, what: 'an interval at each edge of the range', world: { membership: 'meets [from, to]' } },
];
