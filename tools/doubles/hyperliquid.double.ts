import { dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, type Venue } from './venue.ts';

const coins = ['BTC', 'ETH'] as const;
const intervals: Readonly<Record<string, number>> = {
  ...Object.fromEntries([1, 3, 5, 15, 30].map((count) => [`${count}m`, count * minuteMs])),
  ...Object.fromEntries([1, 2, 4, 8, 12].map((count) => [`${count}h`, count * hourMs])),
  '1d': dayMs,
};
const kept = 5000;

/** Plays Hyperliquid's candle snapshots: the newest rows alone are kept, and those without a trade come late. */
export const hyperliquid: Venue = {
  isPosted: true,
  pools: coins,
  forms: { numbers: 'text', unit: 'ms', times: 'json' },
  idle: 'flat',
  flatAfterMs: 3 * minuteMs,
  order: 'oldest first',
  headers: () => ({ 'cache-control': 'no-store' }),
  read: ({ path, body = '', now }) => {
    if (path !== '/info') throw new Refused(404);
    const { type, req = {} } = readBody(body);
    const { coin, interval, startTime, endTime } = req;
    const length = intervals[String(interval)];
    if (type !== 'candleSnapshot' || !length || !Number.isInteger(startTime) || !Number.isInteger(endTime))
      throw new Refused(422, 'Failed to deserialize the JSON body into the target type');
    const pool = coins.find((name) => name === coin);
    if (!pool) throw new Refused(500, null);
    const oldest = Math.floor(now / length) * length - (kept - 1) * length;
    return { pool, length, from: Math.max(Number(startTime), oldest), to: Number(endTime), limit: kept };
  },
  write: (row, { time, price, amount }, _, s) => ({
    t: time(row.start),
    T: time(row.end - 1),
    s,
    i: Object.keys(intervals).find((name) => intervals[name] === row.end - row.start),
    o: price(row.open),
    c: price(row.close),
    h: price(row.high),
    l: price(row.low),
    v: amount(row.volume),
    n: row.trades,
  }),
  wrap: (rows) => rows,
};

type Body = { readonly type?: unknown; readonly req?: Readonly<Record<string, unknown>> };

function readBody(text: string): Body {
  try {
    return (JSON.parse(text) ?? {}) as Body;
  } catch {
    throw new Refused(400, 'Failed to parse the request body as JSON');
  }
}
