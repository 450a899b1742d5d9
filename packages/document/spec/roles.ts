/** An operation answers with all tokens, candles of one pool over a range, or the newest candle of one pool. */
export const operationRoles = ['tokens', 'history', 'latest'] as const;
export type OperationRole = (typeof operationRoles)[number];

export const parameterRoles = [
  'pool',
  'interval',
  'from',
  'to',
  'since',
  'limit',
  'cursor',
  'inverted',
] as const;
export type ParameterRole = (typeof parameterRoles)[number];

/**
 * Units of time: counts since 1970, ISO 8601, or text in another form that `look` and `gate` read, such as RFC 1123; with
 * the day or the month first where the text does not show which.
 */
export const timeUnits = ['s', 'ms', 'us', 'ns', 'min', 'iso', 'text', 'dmy', 'mdy'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** A unit, or several that may come; the first is the one that we write. */
export type TimeForm = TimeUnit | readonly TimeUnit[];

/** A row that starts at the edge of a range belongs to it, or does not. */
export const edgeKinds = ['inclusive', 'exclusive'] as const;
export type Edge = (typeof edgeKinds)[number];

/** A history has a row for every interval, or none for intervals without trade. */
export const gapKinds = ['none', 'idle'] as const;
export type Gaps = (typeof gapKinds)[number];

/** A candle's amounts: decimal text of any size. */
export const amounts = ['volume', 'liquidity', 'volume-usd', 'liquidity-usd'] as const;

/** Further sums over an interval's trades: their worth in the quote asset, and their number. */
export const tradeSums = ['quote-volume', 'trades'] as const;
export type Amount = (typeof amounts)[number] | (typeof tradeSums)[number];

export const candleRoles = [
  'pool',
  'start',
  'end',
  'open',
  'high',
  'low',
  'close',
  'average',
  'vwap',
  ...amounts,
  ...tradeSums,
  'closed',
] as const;
export type CandleRole = (typeof candleRoles)[number];

/** A record without these is not a candle; it also needs `start` or `end`. */
export const requiredCandleRoles = ['open', 'high', 'low', 'close'] as const satisfies readonly CandleRole[];

export const tokenRoles = ['id', 'symbol', 'decimals', 'price', 'price-usd', 'icon'] as const;
export type TokenRole = (typeof tokenRoles)[number];

export const quotaRoles = ['limit', 'remaining', 'additional', 'reset'] as const;
export type QuotaRole = (typeof quotaRoles)[number];

/** An interval by its name in the document. */
export type NamedInterval = { readonly name: string; readonly seconds: number };

/** A record's field names, or positions in a tuple, by role. */
export type FieldNames<Role extends string> = Readonly<Partial<Record<Role, string>>>;

/** The forms of a candle's fields that are not JSON numbers or Unix seconds. */
export type FieldForms = Readonly<Partial<Record<CandleRole, TimeForm | 'text'>>>;

/** Names of the quota headers in the document, lower case. */
export type QuotaHeaders = Readonly<Partial<Record<QuotaRole, string>>>;

/** Features that a document may lack and rules may need. */
export type Role =
  | OperationRole
  | CandleRole
  | `token-${TokenRole}`
  | `quota-${QuotaRole}`
  | 'inverted'
  | 'from'
  | 'key'
  /** A history has a row for every interval. */
  | 'gapless'
  /** The document says how soon a pool has a new row. */
  | 'fresh';

/** The interval lengths that rules need, shortest first; the document's intervals represent them. */
export const rungNames = ['minutes', 'hour', 'day', 'week'] as const;
export type Rung = (typeof rungNames)[number];

export type Rungs = Readonly<Partial<Record<Rung, NamedInterval>>>;

/** The ideal seconds of each length, and the bounds between which an interval may represent it. */
const wanted: Readonly<
  Record<Rung, { readonly seconds: number; readonly from: number; readonly to: number }>
> = {
  minutes: { seconds: 300, from: 60, to: 1800 },
  hour: { seconds: 3600, from: 3600, to: 6 * 3600 },
  day: { seconds: 86400, from: 43200, to: 3 * 86400 },
  week: { seconds: 604800, from: 604800, to: 604800 },
};

/** Chooses for each length the interval with the nearest ratio, if any lies within its bounds. */
export function matchRungs(intervals: readonly NamedInterval[]): Rungs {
  const found: Partial<Record<Rung, NamedInterval>> = {};
  for (const rung of rungNames) {
    const { seconds, from, to } = wanted[rung];
    const [nearest] = intervals
      .filter((interval) => interval.seconds >= from && interval.seconds <= to)
      .sort((a, b) => ratio(a.seconds, seconds) - ratio(b.seconds, seconds));
    if (nearest) found[rung] = nearest;
  }
  return found;
}

function ratio(a: number, b: number): number {
  return Math.abs(Math.log(a / b));
}

/** Returns the seconds of the interval that represents a length; the ideal length if none does. */
export function rungSeconds(rungs: Rungs, rung: Rung): number {
  return rungs[rung]?.seconds ?? wanted[rung].seconds;
}
