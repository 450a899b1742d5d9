import type { BreachCase, NearMiss } from '../breach-case.ts';
import { type Fields, fields, rows, value } from '../damage.ts';

const isolated = { at: 'recent HOUR of 2', operation: 'listV2PoolCandles' } as const;
const starts = '/*/startTimestampSeconds';

const moved = (record: Fields | undefined, seconds: number): Fields => ({
  ...record,
  startTimestampSeconds: Number(record?.startTimestampSeconds) + seconds,
  timestampSeconds: Number(record?.timestampSeconds) + seconds,
});

const without = (from: number, count: number) => rows((list) => list.toSpliced(from, count));

const complete = {
  rule: 'history/complete',
  operation: 'listV2PoolCandles',
  pointer: '',
} as const;

export const historyBreaches: readonly BreachCase[] = [
  {
    ...isolated,
    rule: 'history/answer-is-a-list',
    what: 'a wrapped list',
    damage: value((list) => ({ candles: list })),
    pointer: '',
    expected: 'a list',
    actual: 'an object with candles',
  },
  {
    ...isolated,
    rule: 'history/answer-is-a-list',
    what: 'a single candle without its list',
    damage: value((list) => (list as Fields[])[0]),
    pointer: '',
    expected: 'a list',
    actual: /^an object with poolId, open/,
  },
  {
    ...isolated,
    rule: 'history/one-candle-per-interval',
    what: 'an hour told twice',
    damage: rows((list) => list.toSpliced(6, 0, ...list.slice(5, 6))),
    pointer: starts,
    expected: 'a start at least 3600 s after the one before',
    actual: '2026-03-16T16:00:00Z after 2026-03-16T16:00:00Z',
  },
  {
    ...isolated,
    rule: 'history/one-candle-per-interval',
    what: 'two hours that overlap by half',
    damage: rows((list) => list.toSpliced(6, 0, moved(list[5], 1800))),
    pointer: starts,
    expected: 'a start at least 3600 s after the one before',
    actual: '2026-03-16T16:30:00Z after 2026-03-16T16:00:00Z',
    count: 2,
    also: ['history/aligned'],
  },
  {
    ...isolated,
    rule: 'history/contiguous',
    what: 'half an hour between two hours',
    damage: rows((list) => list.map((each, row) => (row < 10 ? moved(each, -1800) : each))),
    pointer: starts,
    expected: 'a whole number of HOUR intervals (3600 s) between starts',
    actual: '2026-03-16T21:00:00Z after 2026-03-16T19:30:00Z',
    also: ['history/aligned', 'history/complete'],
  },
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
    actual: '7 missing: 2026-03-18T03:00:00Z, 2026-03-18T04:00:00Z, 2026-03-18T05:00:00Z, …',
  },
  {
    ...complete,
    at: 'week FIVEMIN',
    what: 'an empty answer for a living pool',
    damage: rows(() => []),
    expected: /^a candle for each of \d+ FIVEMIN intervals$/,
    actual: /^\d+ missing: /,
  },
  {
    ...isolated,
    rule: 'history/candles-meet-the-range',
    what: 'hours from long before the range',
    damage: rows((list) => [moved(list[0], -4 * 3600), moved(list[0], -3 * 3600), ...list]),
    pointer: starts,
    expected: 'an interval between 2026-03-16T10:37:19Z and 2026-03-18T10:38:27Z',
    actual: String(Date.parse('2026-03-16T07:00:00Z') / 1000),
    count: 2,
  },
  {
    ...isolated,
    rule: 'history/candles-meet-the-range',
    at: 'week FIVEMIN',
    what: 'five minutes from behind the range',
    damage: rows((list) => [...list, moved(list.at(-1), 600)]),
    pointer: starts,
    expected: 'an interval between 2026-03-15T00:00:00Z and 2026-03-16T00:00:00Z',
    actual: String(Date.parse('2026-03-16T00:05:00Z') / 1000),
  },
  {
    rule: 'history/aligned',
    at: 'latest HOUR of 2',
    operation: 'getLatestV1PoolCandle',
    what: 'an hour that begins five minutes late',
    damage: fields(0, ({ startTimestampSeconds }) => ({
      startTimestampSeconds: Number(startTimestampSeconds) + 300,
    })),
    pointer: '/startTimestampSeconds',
    expected: '0 s after a multiple of 3600 s, as most candles',
    actual: String(Date.parse('2026-03-18T10:05:00Z') / 1000),
  },
  {
    ...isolated,
    rule: 'history/one-order',
    what: 'two hours in each other’s place',
    damage: rows((list) => [...list.slice(0, 5), ...list.slice(5, 7).reverse(), ...list.slice(7)]),
    pointer: starts,
    expected: 'ascending starts, as the answer begins',
    actual: '2026-03-16T16:00:00Z after 2026-03-16T17:00:00Z',
  },
  {
    ...isolated,
    rule: 'history/one-order',
    what: 'descending hours that end with the newest',
    world: { descending: true },
    damage: rows((list) => [...list.slice(1), ...list.slice(0, 1)]),
    pointer: starts,
    expected: 'descending starts, as the answer begins',
    actual: '2026-03-18T10:00:00Z after 2026-03-16T11:00:00Z',
  },
  {
    ...isolated,
    rule: 'history/open-candle-is-newest',
    what: 'the open hour told twice',
    damage: rows((list) => [...list, ...list.slice(-1)]),
    pointer: starts,
    expected: 'one open candle at most, the newest',
    actual: '2 open candles',
    also: ['history/one-candle-per-interval'],
  },
];

export const historyNearMisses: readonly NearMiss[] = [
  { ...isolated, rule: 'history/complete', what: 'no open hour', damage: without(-1, 1) },
  { ...isolated, rule: 'history/complete', what: 'no hour at the edge of the range', damage: without(0, 1) },
  {
    ...isolated,
    rule: 'history/complete',
    what: 'no candle of the hour that is settling',
    world: { now: Date.parse('2026-03-18T10:01:30Z') / 1000 },
    damage: without(-2, 2),
  },
  {
    ...isolated,
    rule: 'history/complete',
    what: 'a pool of ten hours',
    world: { ages: [1e9, 36_000] },
    damage: (exchange) => exchange,
  },
  {
    ...isolated,
    rule: 'history/candles-meet-the-range',
    what: 'the hour that ends where the floored range begins',
    damage: rows((list) => [moved(list[0], -7200), moved(list[0], -3600), ...list]),
  },
  {
    ...isolated,
    rule: 'history/candles-meet-the-range',
    at: 'week FIVEMIN',
    what: 'the five minutes that begin where the range ends',
    damage: rows((list) => [...list, moved(list.at(-1), 300)]),
  },
  { ...isolated, rule: 'history/one-order', what: 'a single candle', damage: rows((list) => list.slice(-1)) },
];
