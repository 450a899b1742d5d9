import { Refused, readWhole, type Venue } from './venue.ts';

const symbols = ['btcusd', 'ethusd'] as const;
const steps = [60, 180, 300, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 259200];

function refuse(message: string, status = 400): never {
  throw new Refused(status, { code: status === 404 ? 'Not found' : 'validation', errors: [{ message }] });
}

/** Plays Bitstamp's OHLC data. */
export const bitstamp: Venue = {
  pools: symbols,
  forms: { numbers: 'text', unit: 's', times: 'text' },
  idle: 'flat',
  order: 'oldest first',
  headers: () => ({ 'cache-control': 'no-store' }),
  read: ({ path, query }) => {
    const [, symbol] = /^\/api\/v2\/ohlc\/([^/]+)\/$/.exec(path) ?? refuse('Not found', 404);
    const pool = symbols.find((name) => name === symbol) ?? refuse('Not found', 404);
    const step = readWhole(query, 'step') ?? Number.NaN;
    if (!steps.includes(step)) refuse('Invalid step');
    const limit = readWhole(query, 'limit') ?? Number.NaN;
    if (!(limit >= 1 && limit <= 1000)) refuse('Invalid limit');
    const [start, end] = [readWhole(query, 'start'), readWhole(query, 'end')];
    if (Number.isNaN(start) || Number.isNaN(end)) refuse('Invalid time');
    const wanted = { pool, length: step * 1000, limit };
    // Only the end counts if both ends are given.
    if (end !== undefined) return { ...wanted, to: end * 1000 };
    return start === undefined ? wanted : { ...wanted, from: start * 1000, keepsOldest: true };
  },
  write: ({ start, open, high, low, close, volume }, { time, price, amount }) => ({
    timestamp: time(start),
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: amount(volume),
  }),
  wrap: (ohlc, { pool }) => ({ data: { pair: `${pool.slice(0, 3)}/${pool.slice(3)}`.toUpperCase(), ohlc } }),
};
