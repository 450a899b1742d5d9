/** Interpretations of a range's edges; E is the end as stamped. */
export const memberships = [
  'floored from <= E <= to',
  'from <= S < to',
  'meets [from, to]',
  'from <= S <= to',
  'floored from <= S, E <= to',
  'from <= S, E <= to',
] as const;

export type Membership = (typeof memberships)[number];

/**
 * A small exchange with every choice that its document leaves open as a parameter. Equal worlds answer equally: prices
 * are a function of seed, pool and minute, and nothing here reads a clock or shares code with the reference service.
 */
export type World = {
  readonly seed: number;
  /** The server's clock at the first request in Unix seconds, and the seconds between requests. */
  readonly now: number;
  readonly pace: number;
  /** Seconds until an observation appears, and by which the Date header may be old. */
  readonly lag: number;
  readonly dateLag: number;
  readonly poolsV1: readonly number[];
  readonly poolsV2: readonly number[];
  /** Seconds since a pool's first observation, by its position in either list; the last applies to all others. */
  readonly ages: readonly number[];
  readonly prices: 'flat' | 'ticks' | 'gentle' | 'wild';
  readonly priceLevel: number;
  /** Significant digits of prices, or numbers of single precision; full doubles if undefined. */
  readonly digits: number | 'single' | undefined;
  /** K of K/p, which makes inverted prices. */
  readonly constant: number;
  /** Share of minutes with a trade. */
  readonly trades: number;
  readonly usd: { readonly cents: 'rounded' | 'cut'; readonly text: 'shortest' | 'two decimals' };
  /** Second of the day in UTC at which days begin, and second of the week at which weeks would begin in UTC. */
  readonly dayPhase: number;
  readonly weekPhase: number;
  readonly membership: Membership;
  readonly openInHistory: boolean;
  readonly openEnd: 'last observation' | 'interval end';
  readonly endsEarly: 0 | 1 | 60;
  readonly descending: boolean;
  /** The observation at a boundary belongs to both intervals. */
  readonly sharedBoundaries: boolean;
  /** Share of the first and last minutes of five that were never observed. */
  readonly outages: number;
  readonly tokens: number;
  readonly extraFields: boolean;
  /** Rows have a mean price of their trades, their worth, their number and a mark of whether they are closed. */
  readonly trading: boolean;
  readonly refusal: { readonly status: number; readonly mediaType: string; readonly body: string };
  readonly refusalsCount: boolean;
  /** Faulty parameters are interpreted as well as possible, or answered with an empty list. */
  readonly lenient: boolean;
  /** Successes carry a strong ETag. */
  readonly tags: boolean;
  /** Closed data is requested all at once, and a second key is available. */
  readonly bursts: boolean;
  readonly otherKey: boolean;
  readonly quota: {
    readonly limit: number;
    readonly used: number;
    /** Seconds by which the month's zone is ahead of UTC; milliseconds by which the reset precedes the month's end. */
    readonly zone: number;
    readonly early: 0 | 1;
    readonly servedBeyond: boolean;
  };
  /** The most foreign requests between two of ours. */
  readonly foreign: number;
  readonly keyless: boolean;
  /** The amount requested: recent weeks, and the last days of the closed week in five-minute candles. */
  readonly scope: { readonly weeks: number; readonly fineDays: number };
  readonly compressed: boolean;
  readonly titleCase: boolean;
};

/** A quiet Wednesday at 10:37, far from every boundary, with the usual choices. */
export const usualWorld: World = {
  seed: 7,
  now: Date.parse('2026-03-18T10:37:25Z') / 1000,
  pace: 0.25,
  lag: 5,
  dateLag: 0,
  poolsV1: [1, 2],
  poolsV2: [1, 2],
  ages: [1e9],
  prices: 'gentle',
  priceLevel: 0.0482,
  digits: undefined,
  constant: 1,
  trades: 0.4,
  usd: { cents: 'rounded', text: 'shortest' },
  dayPhase: 0,
  weekPhase: 345_600,
  membership: 'from <= S < to',
  openInHistory: true,
  openEnd: 'last observation',
  endsEarly: 0,
  descending: false,
  sharedBoundaries: false,
  outages: 0,
  tokens: 4,
  extraFields: false,
  trading: false,
  refusal: { status: 401, mediaType: 'application/json', body: '{"message":"Unauthorized"}' },
  refusalsCount: false,
  lenient: false,
  tags: false,
  bursts: true,
  otherKey: false,
  quota: { limit: 10_000, used: 120, zone: 0, early: 1, servedBeyond: true },
  foreign: 0,
  keyless: false,
  scope: { weeks: 3, fineDays: 1 },
  compressed: false,
  titleCase: false,
};

/** Returns the seconds after multiples of its length at which an interval begins. */
export function intervalOffset(world: World, interval: WorldInterval): number {
  if (interval === 'WEEK') return world.weekPhase + world.dayPhase;
  return interval === 'DAY' ? world.dayPhase : 0;
}

/** The document's interval names (§2.2) with their lengths in seconds. */
export const intervalSeconds = { FIVEMIN: 300, HOUR: 3600, DAY: 86400, WEEK: 604800 } as const;

export type WorldInterval = keyof typeof intervalSeconds;
/** Shortest first. */
export const intervals = Object.keys(intervalSeconds) as WorldInterval[];
