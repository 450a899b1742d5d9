import { dayMs, minuteMs } from './market.ts';
import { Refused, readWhole, type Venue } from './venue.ts';

const symbols = ['BTCUSDT', 'ETHUSDT'] as const;
const intervals: Readonly<Record<string, number>> = {
  ...Object.fromEntries([1, 3, 5, 15, 30, 60, 120, 240, 360, 720].map((count) => [count, count * minuteMs])),
  D: dayMs,
  W: 7 * dayMs,
};

/** Plays Bybit's klines of spot markets, without calendar months. */
export const bybit: Venue = {
  pools: symbols,
  forms: { numbers: 'text', unit: 'ms', times: 'text' },
  idle: 'flat',
  order: 'newest first',
  headers: () => ({ 'cache-control': 'no-store' }),
  read: ({ path, query, now }) => {
    const refuse = (retMsg: string): never => {
      throw new Refused(200, { retCode: 10001, retMsg, result: {}, retExtInfo: {}, time: now });
    };
    if (path !== '/v5/market/kline') throw new Refused(404);
    if (query.get('category') !== 'spot') refuse('Illegal category');
    const pool = symbols.find((name) => name === query.get('symbol')) ?? refuse('Not supported symbols');
    const length = intervals[query.get('interval') ?? ''] ?? refuse('Invalid period!');
    const [from, to, limit = 200] = ['start', 'end', 'limit'].map((name) => readWhole(query, name));
    if ([from, to, limit].some(Number.isNaN)) refuse('params error');
    const range = { from, to };
    return { pool, length, limit: Math.min(limit, 1000), ...range };
  },
  write: (row, { time, price, amount, quote }) => [
    time(row.start),
    ...[row.open, row.high, row.low, row.close].map(price),
    amount(row.volume),
    quote(row.quote),
  ],
  wrap: (list, { pool: symbol }, { now: time }) => ({
    retCode: 0,
    retMsg: 'OK',
    result: { category: 'spot', symbol, list },
    retExtInfo: {},
    time,
  }),
};
