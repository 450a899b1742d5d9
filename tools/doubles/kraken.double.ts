import { minuteMs } from './market.ts';
import { Refused, readWhole, type Venue } from './venue.ts';

const pairs = ['XXBTZUSD', 'XETHZUSD'] as const;
const minutes = [1, 5, 15, 30, 60, 240, 1440, 10080];

function refuse(error: string): never {
  throw new Refused(200, { error: [error] });
}

/** Plays Kraken's OHLC data, without intervals of 15 days. */
export const kraken: Venue = {
  pools: pairs,
  forms: { numbers: 'text', unit: 's', times: 'json' },
  idle: 'flat',
  order: 'oldest first',
  headers: () => ({ 'cache-control': 'private, no-store' }),
  read: ({ path, query }) => {
    if (path !== '/0/public/OHLC') refuse('EGeneral:Unknown method');
    const pool = pairs.find((name) => name === query.get('pair')) ?? refuse('EQuery:Unknown asset pair');
    const interval = readWhole(query, 'interval') ?? 1;
    if (!minutes.includes(interval)) refuse('EGeneral:Invalid arguments');
    const since = readWhole(query, 'since');
    if (Number.isNaN(since)) refuse('EGeneral:Invalid arguments:since');
    const range = since !== undefined && { from: since * 1000 + 1 };
    return { pool, length: interval * minuteMs, limit: 720, ...range };
  },
  write: (row, { time, price, amount, vwap }) => [
    time(row.start),
    ...[row.open, row.high, row.low, row.close].map(price),
    row.trades === 0 ? '0.0' : vwap(row),
    amount(row.volume),
    row.trades,
  ],
  wrap: (rows, { pool, length }, { now }) => ({
    error: [],
    result: { [pool]: rows, last: (Math.floor(now / length) * length - length) / 1000 },
  }),
};
