import { Refused, readWhole, type Venue } from './venue.ts';

const products = ['BTC-USD', 'ETH-USD'] as const;
const granularities = [60, 300, 900, 3600, 21600, 86400];
const mostRows = 300;

function refuse(message: string, status = 400): never {
  throw new Refused(status, { message });
}

/** Plays the candles of Coinbase Exchange. */
export const coinbase: Venue = {
  pools: products,
  forms: { numbers: 'json', unit: 's', times: 'json' },
  idle: 'absent',
  order: 'newest first',
  headers: () => ({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }),
  read: ({ path, query }) => {
    const [, product] = /^\/products\/([^/]+)\/candles$/.exec(path) ?? refuse('route not found', 404);
    const pool = products.find((name) => name === product) ?? refuse('NotFound', 404);
    const seconds = readWhole(query, 'granularity') ?? 60;
    if (!granularities.includes(seconds)) refuse('Unsupported granularity');
    const [start, end] = [readWhole(query, 'start'), readWhole(query, 'end')];
    const wanted = { pool, length: seconds * 1000, limit: mostRows };
    // A range has both ends, or is not read.
    if (start === undefined || end === undefined) return wanted;
    if (Number.isNaN(start + end)) refuse('Invalid start or end');
    if (start > end) refuse('start must be before end');
    if ((end - start) / seconds > mostRows) refuse(`Count of aggregations requested exceeds ${mostRows}`);
    return { ...wanted, from: start * 1000, to: end * 1000 };
  },
  write: ({ start, open, high, low, close, volume }, { time, price, amount }) => [
    time(start),
    ...[low, high, open, close].map(price),
    amount(volume),
  ],
  wrap: (rows) => rows,
};
