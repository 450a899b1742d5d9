/** One full minute of a pool: its price and liquidity at that time, and the volume of the minute. */
export type Sample = {
  /** Unix seconds, a multiple of 60. */
  readonly t: number;
  /** Positive. */
  readonly price: number;
  /** Tinybars. */
  readonly volume: bigint;
  readonly volumeUsdCents: bigint;
  /** Tinybars. */
  readonly liquidity: bigint;
  readonly liquidityUsdCents: bigint;
};

/** All samples of one bucket, folded. Has sums instead of means, so that candles can be joined. */
export type FoldedCandle = {
  readonly start: number;
  readonly lastSample: number;
  readonly samples: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly priceSum: number;
  /** Sum of 1/price, for the mean of the inverted prices. */
  readonly inverseSum: number;
  readonly volume: bigint;
  readonly volumeUsdCents: bigint;
  readonly liquidity: bigint;
  readonly liquidityUsdCents: bigint;
};

/** Returns the candle of one sample; it starts at the sample's time. */
export function singleSampleCandle(sample: Sample): FoldedCandle {
  const { t, price, volume, volumeUsdCents, liquidity, liquidityUsdCents } = sample;
  return {
    start: t,
    lastSample: t,
    samples: 1,
    open: price,
    high: price,
    low: price,
    close: price,
    priceSum: price,
    inverseSum: 1 / price,
    volume,
    volumeUsdCents,
    liquidity,
    liquidityUsdCents,
  };
}

/** Joins two consecutive candles. Associative, so any tiling of a bucket gives the same candle. */
export function joinCandles(earlier: FoldedCandle, later: FoldedCandle): FoldedCandle {
  return {
    start: earlier.start,
    lastSample: later.lastSample,
    samples: earlier.samples + later.samples,
    open: earlier.open,
    high: later.high > earlier.high ? later.high : earlier.high,
    low: later.low < earlier.low ? later.low : earlier.low,
    close: later.close,
    priceSum: earlier.priceSum + later.priceSum,
    inverseSum: earlier.inverseSum + later.inverseSum,
    volume: earlier.volume + later.volume,
    volumeUsdCents: earlier.volumeUsdCents + later.volumeUsdCents,
    liquidity: later.liquidity,
    liquidityUsdCents: later.liquidityUsdCents,
  };
}

/**
 * Joins ascending parts into buckets. `bucketOf` returns the start of a time's bucket. A bucket without parts gives no
 * candle.
 */
export function rollUp(parts: Iterable<FoldedCandle>, bucketOf: (t: number) => number): FoldedCandle[] {
  const whole: FoldedCandle[] = [];
  let current: FoldedCandle | undefined;
  for (const part of parts) {
    const start = bucketOf(part.start);
    if (current?.start === start) {
      current = joinCandles(current, part);
    } else {
      if (current) whole.push(current);
      current = { ...part, start };
    }
  }
  if (current) whole.push(current);
  return whole;
}

/** Returns the mean of the minutely prices, limited to the extremes against rounding errors. */
export function meanPrice(candle: FoldedCandle): number {
  return clamp(candle.priceSum / candle.samples, candle.low, candle.high);
}

/** Returns the mean of the inverted minutely prices, which is not the inverse of their mean. */
export function meanInverse(candle: FoldedCandle): number {
  return clamp(candle.inverseSum / candle.samples, 1 / candle.high, 1 / candle.low);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** The four bucket sizes of the `interval` parameter (§2.2), shortest first. */
export const INTERVALS = ['FIVEMIN', 'HOUR', 'DAY', 'WEEK'] as const;

export type Interval = (typeof INTERVALS)[number];

/** Length of each interval in seconds. */
export const LENGTH: Readonly<Record<Interval, number>> = {
  FIVEMIN: 300,
  HOUR: 3600,
  DAY: 86_400,
  WEEK: 604_800,
};

/** The interval whose buckets tile a longer interval's bucket; five-minute buckets are tiled by samples. */
export const CHILD = { HOUR: 'FIVEMIN', DAY: 'HOUR', WEEK: 'DAY' } as const;

/** Seconds from the Unix epoch (a Thursday) to the first Monday 00:00 UTC. */
export const MONDAY = 345_600;

/** Returns the remainder of a division, from 0 up, of a negative value too. */
export function modulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}

/**
 * Returns the start of the bucket [S, S+L) that contains `t` (Unix seconds).
 * Weeks begin `weekAnchor` seconds after the epoch, all other intervals on multiples of their length.
 */
export function bucketStart(t: number, interval: Interval, weekAnchor: number): number {
  const length = LENGTH[interval];
  const phase = interval === 'WEEK' ? weekAnchor % length : 0;
  return Math.floor((t - phase) / length) * length + phase;
}
