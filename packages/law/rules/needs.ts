import { type Rung, rungNames } from '@candleproof/document/spec/roles';
import type { Need } from './rule.ts';

/** Evidence that rules share; each need represents one request. */
export const tokenList: Need = { role: 'tokens' };

/** The token list, and later in the run once more. */
export const tokensTwice: readonly Need[] = [tokenList, { ...tokenList, again: true }];

/** Lengths of a document without hours, best first. */
export const otherLengths: readonly Rung[] = ['minutes', 'day', 'week'];

export const latestOfEachPool: Need = {
  role: 'latest',
  interval: 'hour',
  orElse: otherLengths,
  pools: 'each',
};

/** Hours up to now: closed candles, and the open one if the target includes it. */
export const recentHoursOfEachPool: Need = {
  role: 'history',
  interval: 'hour',
  orElse: otherLengths,
  range: 'recent',
  pools: 'each',
};

/** Hours up to now, and the same request once more at the end of the run. */
export const recentHoursTwice: readonly Need[] = [
  recentHoursOfEachPool,
  { role: 'history', interval: 'hour', orElse: otherLengths, range: 'recent', again: true },
];

export const anyCandles: readonly Need[] = [latestOfEachPool, recentHoursOfEachPool];

/** One request per operation. */
export const anyAnswer: readonly Need[] = [tokenList, ...anyCandles];

/** The open candle of one pool in all four lengths, followed by the first one again: see brackets in series.ts. */
export const latestInEachInterval: readonly Need[] = [
  ...rungNames.map((interval): Need => ({ role: 'latest', interval })),
  { role: 'latest', interval: 'minutes', again: true },
];

/** Days up to now: those after the closed week are shown by nothing longer. */
export const recentDays: Need = { role: 'history', interval: 'day', range: 'recent', pools: 'each' };

/** Every week of a pool, up to now. */
export const allWeeks: Need = { role: 'history', interval: 'week', range: 'all' };

/** The days around the oldest row of the weeks: the first week of a pool, or of what a limit of ranges shows of it. */
export const firstDays: Need = { role: 'history', interval: 'day', range: 'around the first row' };

/** Hours of a day that is more than a month old, beside the days of all whole weeks. */
export const hoursOfLongAgo: readonly Need[] = [
  { role: 'history', interval: 'hour', range: 'long ago' },
  { role: 'history', interval: 'day', range: 'before the week' },
];

/** One closed week in days, hours and five-minute candles, beside the recent weeks that contain it. */
export const closedWeekInEachInterval: readonly Need[] = [
  allWeeks,
  ...(['day', 'hour', 'minutes'] as const).map(
    (interval): Need => ({ role: 'history', interval, range: 'closed week' }),
  ),
];

export const invertedLatest: readonly Need[] = [
  ...latestInEachInterval.slice(0, -1),
  ...rungNames.map((interval): Need => ({ role: 'latest', interval, inverted: true })),
  { role: 'latest', interval: 'minutes', again: true },
];

/** The inverted open candle of another pool, beside its plain one. */
export const anotherLatestInverted: Need = {
  role: 'latest',
  interval: 'hour',
  pools: 'last',
  inverted: true,
};

/** Hours of the closed week. */
export const closedWeekHours: Need = { role: 'history', interval: 'hour', range: 'closed week' };

/** Five-minute candles up to now, requested before the hours and weeks that contain them; they reach back into the closed week. */
export const recentFiveMinutes: Need = { role: 'history', interval: 'minutes', range: 'since the week' };

/** Inverted candles of every length up to now, beside the plain ones. */
export const invertedHistory: readonly Need[] = [
  recentFiveMinutes,
  recentHoursOfEachPool,
  recentDays,
  allWeeks,
  { role: 'history', interval: 'minutes', range: 'recent', inverted: true },
  { role: 'history', interval: 'hour', range: 'recent', inverted: true },
  { role: 'history', interval: 'day', range: 'recent', inverted: true },
  { ...allWeeks, inverted: true },
];

/** Inverted hours and days of another pool, beside its plain ones. */
export const anotherPoolInverted: readonly Need[] = (['hour', 'day'] as const).map((interval) => ({
  role: 'history',
  interval,
  range: 'recent',
  pools: 'last',
  inverted: true,
}));

/** The second half of the closed week's hours, with the default value of inversion spelt out. */
export const secondHalf: Need = { role: 'history', interval: 'hour', range: 'second half', inverted: false };

/** The closed week's hours in two answers, beside the answer that contains them all. */
export const weekInHalves: readonly Need[] = [
  closedWeekHours,
  { role: 'history', interval: 'hour', range: 'first half' },
  secondHalf,
];

/** Five-minute candles of less than an hour, beside the answer that contains them among those of a week. */
export const someMinutes: readonly Need[] = [
  { role: 'history', interval: 'minutes', range: 'closed week' },
  { role: 'history', interval: 'minutes', range: 'some minutes' },
];

/** A range that is an instant, and one of several weeks that ends where the closed week begins. */
export const shortestRanges: readonly Need[] = [
  { role: 'history', interval: 'day', range: 'before the week' },
  { role: 'history', interval: 'day', range: 'instant' },
];

/** Days of the closed week and of the weeks before: one range begins where the other ends. */
export const weekAndThoseBefore: readonly Need[] = [
  { role: 'history', interval: 'day', range: 'before the week' },
  { role: 'history', interval: 'day', range: 'closed week' },
];

/** The closed week's days, and the same request in another spelling. */
export const weekInTwoSpellings: readonly Need[] = [
  { role: 'history', interval: 'day', range: 'closed week' },
  { role: 'history', interval: 'day', range: 'closed week', speltOtherwise: true },
];

/** Ranges in which nothing can have been observed. */
export const emptyRanges: readonly Need[] = [
  { role: 'history', interval: 'week', range: 'before any pool' },
  { role: 'history', interval: 'hour', range: 'after now' },
];

/**
 * A small part of all needs: every length of both operations, both directions, what these are judged beside, the token
 * list, and one request without a key.
 */
export const smokeNeeds: readonly Need[] = [
  tokenList,
  ...latestInEachInterval,
  { role: 'latest', interval: 'hour', inverted: true },
  recentFiveMinutes,
  { role: 'history', interval: 'hour', range: 'recent' },
  { role: 'history', interval: 'day', range: 'recent' },
  allWeeks,
  { role: 'history', interval: 'hour', range: 'recent', inverted: true },
  { ...allWeeks, inverted: true },
  closedWeekHours,
  { role: 'history', interval: 'day', range: 'closed week' },
  { role: 'history', interval: 'hour', range: 'recent', unkeyed: true },
];
