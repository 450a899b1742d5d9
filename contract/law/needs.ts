import { rungNames } from '../document/roles.ts';
import type { Need } from './rule.ts';

/** Evidence that rules share; each need stands for one request. */
export const tokenList: Need = { role: 'tokens' };

export const latestOfEachPool: Need = {
  role: 'latest',
  interval: 'hour',
  everyPool: true,
};

/** Hours up to now: closed candles, and the open one where the target includes it. */
export const recentHoursOfEachPool: Need = {
  role: 'history',
  interval: 'hour',
  range: 'recent',
  everyPool: true,
};

export const anyCandles: readonly Need[] = [latestOfEachPool, recentHoursOfEachPool];

/** One request per operation. */
export const anyAnswer: readonly Need[] = [tokenList, ...anyCandles];

/** The open candle of one pool in all four lengths, followed by the first one again: see brackets in series.ts. */
export const latestInEachInterval: readonly Need[] = [
  ...rungNames.map((interval): Need => ({ role: 'latest', interval })),
  { role: 'latest', interval: 'minutes', again: true },
];

export const recentWeeks: Need = { role: 'history', interval: 'week', range: 'recent' };

/** The week before the oldest recent one, requested alone: an older pool shows it there. */
export const weekBeforeTheFirst: Need = { role: 'history', interval: 'week', range: 'before the first row' };

/** One closed week in days, hours and five-minute candles, beside the recent weeks that contain it. */
export const closedWeekInEachInterval: readonly Need[] = [
  recentWeeks,
  ...(['day', 'hour', 'minutes'] as const).map(
    (interval): Need => ({ role: 'history', interval, range: 'closed week' }),
  ),
];

export const invertedLatest: readonly Need[] = [
  ...latestInEachInterval.slice(0, -1),
  { role: 'latest', interval: 'hour', turns: ['minutes', 'day', 'week', 'hour'], inverted: true },
  { role: 'latest', interval: 'minutes', again: true },
];

/** Hours of the closed week. */
export const closedWeekHours: Need = {
  role: 'history',
  interval: 'hour',
  range: 'closed week',
};

/** Inverted candles of the closed week, of one length per run, beside the plain ones of every length; and weeks. */
export const invertedHistory: readonly Need[] = [
  ...closedWeekInEachInterval.slice(1),
  { ...closedWeekHours, turns: ['minutes', 'day', 'hour'], inverted: true },
  recentWeeks,
  { ...recentWeeks, inverted: true },
];

/** The closed week's inverted days, beside its inverted hours. */
export const weekDaysInverted: Need = {
  role: 'history',
  interval: 'day',
  range: 'closed week',
  inverted: true,
  thoroughly: true,
};

/** The closed week's hours in two answers, beside the answer that contains them all. */
export const weekInHalves: readonly Need[] = [
  closedWeekHours,
  { role: 'history', interval: 'hour', range: 'first half' },
  { role: 'history', interval: 'hour', range: 'second half' },
];

/** The shortest possible ranges: at least one of the two contains a single candle, however edges are interpreted. */
export const shortestRanges: readonly Need[] = [
  { role: 'history', interval: 'day', range: 'one candle' },
  { role: 'history', interval: 'day', range: 'instant' },
];

/** Days of the closed week and of the day before: one range begins where the other ends. */
export const weekAndTheDayBefore: readonly Need[] = [
  { role: 'history', interval: 'day', range: 'one candle' },
  { role: 'history', interval: 'day', range: 'closed week' },
];

/** Five-minute candles up to now, requested before the hours and weeks that contain them. */
export const recentFiveMinutes: Need = {
  role: 'history',
  interval: 'minutes',
  range: 'recent',
};

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
