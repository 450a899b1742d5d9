import { intervals } from './interval.ts';
import type { Need } from './rule.ts';

/** The pieces of evidence that rules share; each stands for one request. */

export const tokenList: Need = { operation: 'listTokens' };

export const latestOfEachPool: Need = {
  operation: 'getLatestV1PoolCandle',
  interval: 'HOUR',
  everyPool: true,
};

/** Hours up to now: closed candles, and the open one where the target gives it. */
export const recentHoursOfEachPool: Need = {
  operation: 'listV2PoolCandles',
  interval: 'HOUR',
  range: 'recent',
  everyPool: true,
};

export const anyCandles: readonly Need[] = [latestOfEachPool, recentHoursOfEachPool];

/** One request of each operation. */
export const anyAnswer: readonly Need[] = [tokenList, ...anyCandles];

/** The open candle of one pool in all four lengths, closed by the first one again: see brackets in series.ts. */
export const latestInEachInterval: readonly Need[] = [
  ...intervals.map((interval): Need => ({ operation: 'getLatestV1PoolCandle', interval })),
  { operation: 'getLatestV1PoolCandle', interval: 'FIVEMIN', again: true },
];

export const recentWeeks: Need = { operation: 'listV2PoolCandles', interval: 'WEEK', range: 'recent' };

/** One closed week in days, hours and five minutes, beside the recent weeks that hold it. */
export const closedWeekInEachInterval: readonly Need[] = [
  recentWeeks,
  ...(['DAY', 'HOUR', 'FIVEMIN'] as const).map(
    (interval): Need => ({ operation: 'listV2PoolCandles', interval, range: 'closed week' }),
  ),
];

export const invertedLatest: readonly Need[] = [
  { operation: 'getLatestV1PoolCandle', interval: 'FIVEMIN' },
  { operation: 'getLatestV1PoolCandle', interval: 'HOUR' },
  { operation: 'getLatestV1PoolCandle', interval: 'HOUR', inverted: true },
  { operation: 'getLatestV1PoolCandle', interval: 'FIVEMIN', again: true },
];

export const invertedHistory: readonly Need[] = [
  { operation: 'listV2PoolCandles', interval: 'HOUR', range: 'closed week' },
  { operation: 'listV2PoolCandles', interval: 'HOUR', range: 'closed week', inverted: true },
  recentWeeks,
  { ...recentWeeks, inverted: true },
];

export const withoutKey: readonly Need[] = [
  { operation: 'listTokens', unkeyed: true },
  { operation: 'listV2PoolCandles', interval: 'HOUR', range: 'recent', unkeyed: true },
  { operation: 'getLatestV1PoolCandle', interval: 'HOUR', unkeyed: true },
];
