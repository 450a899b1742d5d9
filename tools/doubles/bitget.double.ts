import { dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, readNumbers, type Venue } from './venue.ts';

const symbols = ['BTCUSDT', 'ETHUSDT'] as const;
const intervals: Readonly<Record<string, number>> = {
  ...Object.fromEntries([1, 3, 5, 15, 30].map((count) => [`${count}min`, count * minuteMs])),
  ...Object.fromEntries([1, 4].map((count) => [`${count}h`, count * hourMs])),
  ...{ '6Hutc': 6 * hourMs, '12Hutc': 12 * hourMs, '1Dutc': dayMs, '1Wutc': 7 * dayMs },
};

/** Plays Bitget's spot candles, without days of Hong Kong: the worth of trades stands twice. */
export const bitget: Venue = {
  pools: symbols,
  forms: { numbers: 'text', unit: 'ms', times: 'text' },
  idle: 'flat',
  order: 'oldest first',
  headers: () => ({ 'cache-control': 'no-store' }),
  read: ({ path, query, now: requestTime }) => {
    const refuse = (code: string, msg: string): never => {
      throw new Refused(400, { code, msg, requestTime, data: null });
    };
    if (path !== '/api/v2/spot/market/candles') throw new Refused(404);
    const pool = symbols.find((name) => name === query.get('symbol')) ?? refuse('40034', 'No such symbol');
    const length = intervals[query.get('granularity') ?? ''] ?? refuse('400171', 'No such granularity');
    const [from, to, limit = 100] = readNumbers(query, ['startTime', 'endTime', 'limit'], () =>
      refuse('40017', 'Parameter verification failed'),
    );
    return { pool, length, limit: Math.min(limit, 1000), from, to };
  },
  write: (row, { time, price, amount, quote }) => [
    time(row.start),
    ...[row.open, row.high, row.low, row.close].map(price),
    amount(row.volume),
    quote(row.quote),
    quote(row.quote),
  ],
  wrap: (data, _, { now: requestTime }) => ({ code: '00000', msg: 'success', requestTime, data }),
};
