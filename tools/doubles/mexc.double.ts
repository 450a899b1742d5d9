import { dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, readNumbers, type Venue } from './venue.ts';

const symbols = ['BTCUSDT', 'ETHUSDT'] as const;
const intervals: Readonly<Record<string, number>> = {
  ...Object.fromEntries([1, 5, 15, 30, 60].map((count) => [`${count}m`, count * minuteMs])),
  '4h': 4 * hourMs,
  '1d': dayMs,
  '1W': 7 * dayMs,
};

function refuse(code: number, msg: string): never {
  throw new Refused(400, { code, msg });
}

/** Plays MEXC's spot klines, without calendar months: a row ends at the start of the next. */
export const mexc: Venue = {
  pools: symbols,
  forms: { numbers: 'text', unit: 'ms', times: 'json' },
  idle: 'flat',
  order: 'oldest first',
  headers: () => ({ 'cache-control': 'no-store' }),
  read: ({ path, query }) => {
    if (path !== '/api/v3/klines') throw new Refused(404);
    const pool = symbols.find((name) => name === query.get('symbol')) ?? refuse(-1121, 'Invalid symbol.');
    const length = intervals[query.get('interval') ?? ''] ?? refuse(-1120, 'Invalid interval.');
    const [from, to, limit = 500] = readNumbers(query, ['startTime', 'endTime', 'limit'], () =>
      refuse(-1100, 'Illegal characters found in a parameter.'),
    );
    const range = { ...(from !== undefined && { from, keepsOldest: true }), to };
    return { pool, length, limit: Math.min(limit, 500), ...range };
  },
  write: (row, { time, price, amount, quote }) => [
    time(row.start),
    ...[row.open, row.high, row.low, row.close].map(price),
    amount(row.volume),
    time(row.end),
    quote(row.quote),
  ],
  wrap: (rows) => rows,
};
