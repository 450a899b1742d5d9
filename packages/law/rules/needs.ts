import { type OperationRole, type Rung, rungNames } from '@candleproof/document/spec/roles';
import type { ErrorCase, Trial } from './error-cases.ts';

/** Evidence that rules share; each need represents one request. */
export const tokenList: Need = { role: 'tokens' };

/** The token list, and later in the run once more. */
export const tokensTwice: readonly Need[] = [tokenList, { ...tokenList, again: true }];

/** Lengths of a document without hours. */
const orElse: readonly Rung[] = ['minutes', 'day', 'week'];

export const latestOfEachPool: Need = { role: 'latest', interval: 'hour', orElse, pools: 'each' };

/** Hours up to now: closed candles, and the open one if the target includes it. */
export const recentHoursOfEachPool: Need = {
  role: 'history',
  interval: 'hour',
  orElse,
  range: 'recent',
  pools: 'each',
};

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
  { role: 'latest', interval: 'hour', turns: ['hour', 'day', 'week', 'minutes'], inverted: true },
  { role: 'latest', interval: 'minutes', again: true },
];

/** Hours of the closed week. */
export const closedWeekHours: Need = { role: 'history', interval: 'hour', range: 'closed week' };

/** Inverted candles of the closed week, of one length per run, beside the plain ones of every length; and weeks. */
export const invertedHistory: readonly Need[] = [
  ...closedWeekInEachInterval.slice(1),
  { ...closedWeekHours, turns: ['minutes', 'hour', 'day'], inverted: true },
  recentWeeks,
  { ...recentWeeks, inverted: true },
];

/** Inverted days of another pool, beside its plain ones. */
export const anotherPoolInverted: Need = {
  role: 'history',
  interval: 'day',
  range: 'recent',
  pools: 'last',
  inverted: true,
};

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

/** Five-minute candles of some hours, beside the answer that contains them among those of a week. */
export const minutesOfSomeHours: readonly Need[] = [
  { role: 'history', interval: 'minutes', range: 'closed week' },
  { role: 'history', interval: 'minutes', range: 'some hours' },
];

/** The shortest possible ranges: with even seeds, at least one contains a single candle, however edges are interpreted. */
export const shortestRanges: readonly Need[] = [
  { role: 'history', interval: 'day', range: 'before the week' },
  { role: 'history', interval: 'day', range: 'instant' },
];

/** Days of the closed week and of the day before: one range begins where the other ends. */
export const weekAndTheDayBefore: readonly Need[] = [
  { role: 'history', interval: 'day', range: 'before the week' },
  { role: 'history', interval: 'day', range: 'closed week' },
];

/** Five-minute candles up to now, requested before the hours and weeks that contain them. */
export const recentFiveMinutes: Need = { role: 'history', interval: 'minutes', range: 'recent' };

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
 * `recent`: some intervals up to now. `closed week`: one whole week whose candles no longer change; its halves overlap
 * by three hours in the middle, off every boundary, and `some hours` lie in its first half. `before the week` ends where that
 * week begins, one candle before it or, of days with odd seeds, at the oldest whole week; `instant` lies inside it, from a
 * boundary of days to itself. `before the first row`: the interval before the oldest row of the recent range, which is empty
 * if that row holds the pool's birth. The last two contain no candle on any honest target.
 */
export type Range =
  | 'recent'
  | 'closed week'
  | 'first half'
  | 'second half'
  | 'some hours'
  | 'before the week'
  | 'instant'
  | 'before the first row'
  | 'before any pool'
  | 'after now';

/**
 * Evidence that a rule needs, in terms that any target can meet. One request meets equal needs of several rules;
 * the planner turns needs into URLs.
 */
export type Need = {
  readonly role: OperationRole;
  /** For candle operations. */
  readonly interval?: Rung;
  /** Lengths that do as well for a document without `interval`, best first. */
  readonly orElse?: readonly Rung[];
  /** Lengths from which a run draws one in place of `interval` by its seed: several runs cover all of them. */
  readonly turns?: readonly Rung[];
  readonly range?: Range;
  /** Omitted from the request if undefined. */
  readonly inverted?: boolean;
  /** The same request in another spelling: parameters in reverse order, the path or all values percent-encoded. */
  readonly speltOtherwise?: true;
  /** By default the first one. `last`: if there are several, since its prices may be of another magnitude. */
  readonly pools?: 'each' | 'last';
  /** Sends no key. */
  readonly unkeyed?: true;
  /** Over a new connection. */
  readonly freshConnection?: true;
  /** With an invalid key, with a valid one in the wrong place, or with the second key. */
  readonly trial?: Trial;
  /** Faulty on purpose; a run draws the cases by its seed. */
  readonly errorCase?: ErrorCase;
  /** Default: GET. */
  readonly method?: 'POST';
  /** Over plain HTTP, and therefore without a key. */
  readonly plainHttp?: true;
  /** Only in a thorough run. */
  readonly thoroughly?: true;
  /** Repeated after the other needs of the same pool: equal answers prove that nothing changed in between. */
  readonly again?: true;
};
