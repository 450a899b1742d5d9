/** What an operation answers: all tokens, candles of one pool over a range, or the newest candle of one pool. */
export const operationRoles = ['tokens', 'history', 'latest'] as const;
export type OperationRole = (typeof operationRoles)[number];

export const parameterRoles = ['pool', 'interval', 'from', 'to', 'limit', 'inverted'] as const;
export type ParameterRole = (typeof parameterRoles)[number];

/** How a document writes times: Unix seconds, Unix milliseconds, or ISO 8601. */
export const timeUnits = ['s', 'ms', 'iso'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** A history has a row for every interval, or none for those without trade. */
export const gapKinds = ['none', 'idle'] as const;
export type Gaps = (typeof gapKinds)[number];

/** Amounts of a candle, which are decimal text of any size. */
export const amounts = ['volume', 'liquidity', 'volume-usd', 'liquidity-usd'] as const;
export type Amount = (typeof amounts)[number];

export const candleRoles = [
  'pool',
  'start',
  'end',
  'open',
  'high',
  'low',
  'close',
  'average',
  ...amounts,
] as const;
export type CandleRole = (typeof candleRoles)[number];

/** Without these a record is no candle; one of `start` and `end` must be there too. */
export const neededOfCandle = ['open', 'high', 'low', 'close'] as const satisfies readonly CandleRole[];

export const tokenRoles = ['id', 'symbol', 'decimals', 'price', 'price-usd', 'icon'] as const;
export type TokenRole = (typeof tokenRoles)[number];

export const quotaRoles = ['limit', 'remaining', 'additional', 'reset'] as const;
export type QuotaRole = (typeof quotaRoles)[number];

/** An interval by its name in the document. */
export type NamedInterval = { readonly name: string; readonly seconds: number };

/** Names of a record's fields, or positions in a tuple, by what they mean. */
export type FieldNames<Role extends string> = Readonly<Partial<Record<Role, string>>>;

/** How a candle's fields are written, where that is not a JSON number or Unix seconds. */
export type FieldForms = Readonly<Partial<Record<CandleRole, TimeUnit | 'text'>>>;

/** Names of the quota headers in the document, lower case. */
export type QuotaHeaders = Readonly<Partial<Record<QuotaRole, string>>>;

/** What a document may have or lack, and rules may need. */
export type Role =
  | OperationRole
  | CandleRole
  | `token-${TokenRole}`
  | `quota-${QuotaRole}`
  | 'inverted'
  | 'from'
  | 'key'
  /** A history has a row for every interval. */
  | 'gapless';
