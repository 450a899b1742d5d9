import { intervalSeconds } from '@candleproof/law/worlds/world';
import type { Distortion, RequestContext } from '@candleproof/reference-service/api/distortion';
import type { Reply, ReplyHeader } from '@candleproof/reference-service/api/message';
import { Refusal } from '@candleproof/reference-service/api/refusal';

/** A healthy service that is stricter, or quieter, than the reference one in a way that its document allows. */
export type StrictService = {
  readonly title: string;
  readonly distortion: Distortion;
  readonly gaps?: 'idle';
  /** It refuses so much that a run may leave a must unjudged. */
  readonly mayHideMusts?: true;
};

type Range = { readonly from: number; readonly to: number; readonly rows: number; readonly now: number };

/** Makes a service that refuses the ranges for which there is a reason. */
function refuseRanges(reason: (range: Range) => string | undefined): Distortion {
  return {
    poolQuery: (query, { poolQuery: { from, to, interval } = query as never, now }: RequestContext) => {
      if (from === undefined || to === undefined) return query;
      const rows = (to - from) / intervalSeconds[query.interval ?? interval];
      const words = reason({ from, to, rows, now: Math.floor(now / 1000) });
      if (words !== undefined) throw new Refusal(400, 'range', words);
      return query;
    },
  };
}

/** Returns a distortion under which no answer holds more than some rows, and longer ranges are refused. */
function limitRows(most: number): Distortion {
  return refuseRanges(({ rows }) => (rows > most ? `at most ${most} rows` : undefined));
}

const day = 86_400;

function mapPrices(round: (price: number) => number): Distortion {
  return {
    candle: (candle) => ({
      ...candle,
      open: round(candle.open),
      high: round(candle.high),
      low: round(candle.low),
      close: round(candle.close),
      avg: round(candle.avg),
    }),
  };
}

/** Leaves out the rows of intervals without trades. */
const idle: Distortion['rows'] = (rows) => rows.filter(({ volume }) => volume !== '0');

/** Makes a cache that hands out each address for some seconds, with its true Age and Date. */
function cacheBodies(seconds: number): Distortion {
  const kept = new Map<string, { readonly reply: Reply; readonly since: number }>();
  const named = ['date', 'etag', 'last-modified'];
  return {
    reply: (reply, { request, now }) => {
      if (reply.status !== 200 || request.method !== 'GET') return reply;
      const known = kept.get(request.target);
      if (!known || now - known.since >= seconds * 1000) {
        kept.set(request.target, { reply, since: now });
        return reply;
      }
      const own = reply.headers.filter(([name]) => !named.includes(name.toLowerCase()));
      const old = known.reply.headers.filter(([name]) => named.includes(name.toLowerCase()));
      const age: ReplyHeader = ['Age', String(Math.floor((now - known.since) / 1000))];
      return { ...reply, body: known.reply.body, headers: [...own, ...old, age] };
    },
  };
}

/** Each candle also holds the observation with which the next one begins. */
const sharedBoundaries: Distortion = {
  candles: (candles) => ({
    ...candles,
    latest: (...wanted) => candles.latest(...wanted),
    at: (...wanted) => candles.at(...wanted),
    closedCandles: (pool, interval, first, last, now) =>
      candles.closedCandles(pool, interval, first, last, now).map((candle) => {
        const close =
          candles.at(pool, interval, candle.start + intervalSeconds[interval], now)?.open ?? candle.close;
        const { high, low } = candle;
        return { ...candle, close, high: Math.max(high, close), low: Math.min(low, close) };
      }),
  }),
};

export const strictServices: readonly StrictService[] = [
  {
    title: 'that refuses a range whose ends are equal',
    distortion: refuseRanges(({ from, to }) => (from === to ? 'from must be before to' : undefined)),
  },
  {
    title: 'that refuses a range shorter than its interval',
    distortion: refuseRanges(({ rows }) => (rows < 1 ? 'no interval lies inside' : undefined)),
  },
  {
    title: 'that refuses negative times and a range that lies in the future',
    distortion: refuseRanges(({ from, now }) =>
      from < 0 ? 'before 1970' : from > now ? 'in the future' : undefined,
    ),
  },
  {
    title: 'that refuses a range that ends in the future',
    distortion: refuseRanges(({ to, now }) => (to > now ? 'ends in the future' : undefined)),
  },
  {
    title: 'that refuses times before its first year',
    distortion: refuseRanges(({ from, now }) => (from < now - 400 * day ? 'too old' : undefined)),
  },
  { title: 'of at most 300 rows', distortion: limitRows(300) },
  { title: 'of at most 1,000 rows', distortion: limitRows(1000) },
  {
    title: 'of at most two days of five minutes',
    distortion: refuseRanges(({ from, to, rows }) =>
      (to - from) / rows === 300 && to - from > 2 * day ? 'at most two days' : undefined,
    ),
  },
  {
    title: 'of at most two days',
    distortion: refuseRanges(({ from, to }) => (to - from > 2 * day ? 'at most two days' : undefined)),
    mayHideMusts: true,
  },
  { title: 'of whole prices, which are zero inverted', distortion: mapPrices(Math.round) },
  {
    title: 'without rows for intervals without trades, though they have a price',
    distortion: { rows: idle },
    gaps: 'idle',
  },
  {
    title: 'without rows for intervals without trades, whose candles share the observation between them',
    distortion: { ...sharedBoundaries, rows: idle },
    gaps: 'idle',
  },
  cachingService(),
  {
    title: 'whose latest day and week come from a cache a minute older, as their ends say',
    distortion: {
      candles: (candles) => ({
        at: (...wanted) => candles.at(...wanted),
        closedCandles: (...wanted) => candles.closedCandles(...wanted),
        latest: (pool, interval, anchor, now) =>
          candles.latest(pool, interval, anchor, intervalSeconds[interval] >= day ? now - 60 : now),
      }),
    },
  },
  {
    title: 'whose latest candle ends in the second of the request',
    distortion: {
      candle: (candle, { operation, now }) =>
        operation === 'getLatestV1PoolCandle'
          ? { ...candle, timestampSeconds: Math.floor(now / 1000) }
          : candle,
    },
  },
];

/** Returns a service that caches each address for twenty seconds. */
export function cachingService(): StrictService {
  return { title: 'that caches each address for 20 seconds', distortion: cacheBodies(20) };
}

/** Services that refuse what no limit explains. */
export const lawlessRefusals: readonly StrictService[] = [
  {
    title: 'that refuses every range that ends in the last half hour',
    distortion: refuseRanges(({ to, now }) => (Math.abs(now - to) < 1800 ? 'not yet' : undefined)),
  },
  {
    title: 'that refuses ranges of 40 to 60 rows',
    distortion: refuseRanges(({ rows }) => (rows > 40 && rows < 60 ? 'no' : undefined)),
  },
];
