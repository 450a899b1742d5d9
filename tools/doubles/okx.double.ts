import { dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, readWhole, type Venue } from './venue.ts';

const instruments = ['BTC-USDT', 'ETH-USDT'] as const;

/** Lengths that do not depend on the zone of Hong Kong, and those that end in utc. */
const bars: Readonly<Record<string, number>> = {
  ...Object.fromEntries([1, 3, 5, 15, 30].map((count) => [`${count}m`, count * minuteMs])),
  ...Object.fromEntries([1, 2, 4].map((count) => [`${count}H`, count * hourMs])),
  '6Hutc': 6 * hourMs,
  '12Hutc': 12 * hourMs,
  '1Dutc': dayMs,
  '1Wutc': 7 * dayMs,
};

function refuse(code: string, msg: string): never {
  throw new Refused(200, { code, msg, data: [] });
}

/** Plays OKX's history of candlesticks. */
export const okx: Venue = {
  pools: instruments,
  forms: { numbers: 'text', unit: 'ms', times: 'text' },
  idle: 'flat',
  order: 'newest first',
  headers: () => ({ 'cache-control': 'no-cache, no-store, max-age=0, must-revalidate' }),
  read: ({ path, query }) => {
    if (path !== '/api/v5/market/history-candles') throw new Refused(404, { code: '404', msg: 'Not Found' });
    const pool = instruments.find((name) => name === query.get('instId'));
    if (!pool) refuse('51001', 'Instrument ID does not exist');
    const length = bars[query.get('bar') ?? '1m'] ?? refuse('51000', 'Parameter bar error');
    const [before, after, limit = 100] = ['before', 'after', 'limit'].map((name) => readWhole(query, name));
    if ([before, after, limit].some(Number.isNaN)) refuse('51000', 'Parameter error');
    return {
      pool,
      length,
      limit: Math.min(limit, 100),
      ...(before !== undefined && { from: before + 1 }),
      ...(after !== undefined && { to: after - 1 }),
    };
  },
  write: (row, { time, price, amount, quote }, isClosed) => [
    time(row.start),
    ...[row.open, row.high, row.low, row.close].map(price),
    amount(row.volume),
    quote(row.quote),
    quote(row.quote),
    isClosed ? '1' : '0',
  ],
  wrap: (rows) => ({ code: '0', msg: '', data: rows }),
};
