/** What an operation answers: all tokens, candles of one pool over a range, or the newest candle of one pool. */
export const operationRoles = ['tokens', 'history', 'latest'] as const;
export type OperationRole = (typeof operationRoles)[number];

export const parameterRoles = ['pool', 'interval', 'from', 'to', 'inverted'] as const;
export type ParameterRole = (typeof parameterRoles)[number];

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

export const tokenRoles = ['id', 'symbol', 'decimals', 'price', 'price-usd', 'icon'] as const;

export const quotaRoles = ['limit', 'remaining', 'additional', 'reset'] as const;
export type QuotaRole = (typeof quotaRoles)[number];

/** An interval by its name in the document. */
export type NamedInterval = { readonly name: string; readonly seconds: number };

/** Names of a candle's fields in the document, by what they mean. */
export type CandleFields = Readonly<Record<CandleRole, string>>;

/** Names of the quota headers in the document, lower case. */
export type QuotaHeaders = Readonly<Record<QuotaRole, string>>;
