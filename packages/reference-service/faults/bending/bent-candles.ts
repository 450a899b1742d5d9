import type { CandleSource, Distortion, RequestContext } from '../../api/distortion.ts';
import { bucketStart, CHILD, type FoldedCandle, type Interval, LENGTH, rollUp } from '../../market/candle.ts';
import type { DatedCandle } from '../../store/candle-reading.ts';

/** The origin of a candle: source, pool, interval, and the time (Unix seconds) as of which it is read. */
export type CandlePlace = {
  readonly source: CandleSource;
  readonly pool: number;
  readonly interval: Interval;
  readonly now: number;
};

type Bent = (candle: DatedCandle, place: CandlePlace, context: RequestContext) => DatedCandle;

/** Returns a distortion of every candle that is read from the store. */
export function bendCandles(bent: Bent): Distortion {
  return {
    candles: (source, context) => ({
      latest: (pool, interval, weekAnchor, now) => {
        const candle = source.latest(pool, interval, weekAnchor, now);
        return candle && bent(candle, { source, pool, interval, now }, context);
      },
      at: (pool, interval, start, now) => {
        const candle = source.at(pool, interval, start, now);
        return candle && bent(candle, { source, pool, interval, now }, context);
      },
      closedCandles: (pool, interval, first, last, now) =>
        source
          .closedCandles(pool, interval, first, last, now)
          .map((candle) => bent(candle, { source, pool, interval, now }, context)),
    }),
  };
}

/** Returns the candles of the next shorter interval in a candle, the open one last; none for a FIVEMIN candle. */
export function listParts({ source, pool, interval, now }: CandlePlace, start: number): DatedCandle[] {
  if (interval === 'FIVEMIN') return [];
  const child = CHILD[interval];
  const end = start + LENGTH[interval];
  const closed = source.closedCandles(pool, child, start, end - LENGTH[child], now);
  const open = end > now ? source.at(pool, child, bucketStart(now, child, 0), now) : undefined;
  return open ? [...closed, open] : closed;
}

/** Different buckets of one interval, joined from the candles of a shorter one. */
export type BentBuckets = {
  readonly interval: Interval;
  readonly parts: Exclude<Interval, 'WEEK'>;
  /** Returns the start of the bucket of a time. */
  readonly of: (t: number) => number;
};

/** Returns a source with different buckets of one interval. */
export function rebucket(source: CandleSource, buckets: BentBuckets): CandleSource {
  const { interval: bent, of } = buckets;
  const holding = (pool: number, t: number, now: number): DatedCandle | undefined =>
    rollUpBuckets(source, buckets, { pool, first: of(t), last: of(t), now })[0];
  return {
    latest: (pool, interval, weekAnchor, now) => {
      const newest = source.latest(pool, interval, weekAnchor, now);
      return newest && interval === bent ? holding(pool, newest.lastSample, now) : newest;
    },
    at: (pool, interval, start, now) =>
      interval === bent
        ? holding(pool, Math.min(start + LENGTH[interval] - 1, now), now)
        : source.at(pool, interval, start, now),
    closedCandles: (pool, interval, first, last, now) =>
      interval === bent
        ? rollUpBuckets(source, buckets, { pool, first, last, now }).filter((bucket) => bucket.closed)
        : source.closedCandles(pool, interval, first, last, now),
  };
}

type Wanted = { readonly pool: number; readonly first: number; readonly last: number; readonly now: number };

function rollUpBuckets(
  source: CandleSource,
  buckets: BentBuckets,
  { pool, first, last, now }: Wanted,
): DatedCandle[] {
  const { interval, parts, of } = buckets;
  const length = LENGTH[interval];
  const begin = bucketStart(first - length, parts, 0);
  const closed: FoldedCandle[] = source.closedCandles(pool, parts, begin, last + length, now);
  const open = source.at(pool, parts, bucketStart(now, parts, 0), now);
  return rollUp(open && open.start < last + length ? [...closed, open] : closed, of)
    .filter(({ start }) => start >= first && start <= last)
    .map((candle) => ({ ...candle, closed: candle.start + length <= now }));
}
