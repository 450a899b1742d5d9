import { dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, readWhole, type Venue } from './venue.ts';

const intervals: Readonly<Record<string, number>> = {
  '1s': 1000,
  ...inUnits('m', minuteMs, [1, 3, 5, 15, 30]),
  ...inUnits('h', hourMs, [1, 2, 4, 6, 8, 12]),
  ...inUnits('d', dayMs, [1, 3]),
  '1w': 7 * dayMs,
};

function inUnits(unit: string, length: number, counts: readonly number[]): Record<string, number> {
  return Object.fromEntries(counts.map((count) => [`${count}${unit}`, count * length]));
}

const known: readonly string[] = ['symbol', 'interval', 'startTime', 'endTime', 'limit', 'timeZone'];
const symbols = ['ETHUSDT', 'ADABTC'] as const;

function refuse(code: number, msg: string): never {
  throw new Refused(400, { code, msg });
}

/** Plays Binance's spot klines, without calendar months. */
export const binance: Venue = {
  pools: symbols,
  listings: [
    { price: 300_000, tradesPerMinute: 2, priceScale: 2, amountScale: 4 },
    { price: 12_340, tradesPerMinute: 0.3, priceScale: 8, amountScale: 0 },
  ],
  forms: { numbers: 'text', unit: 'ms', times: 'json' },
  places: 8,
  idle: 'flat',
  order: 'oldest first',
  headers: () => ({
    'content-type': 'application/json;charset=UTF-8',
    'cache-control': 'no-cache, no-store, must-revalidate',
    'x-mbx-used-weight-1m': '2',
  }),
  read: ({ path, query }) => {
    if (path !== '/api/v3/klines') throw new Refused(404);
    const names = [...query.keys()];
    if (new Set(names).size < names.length) refuse(-1101, 'A parameter was sent twice.');
    if (!names.every((name) => known.includes(name))) refuse(-1104, 'A parameter was not read.');
    for (const name of ['symbol', 'interval'])
      if (!query.get(name)) refuse(-1102, `Parameter '${name}' was not sent or is empty.`);
    const [from, to, limit = 500] = ['startTime', 'endTime', 'limit'].map((name) => readWhole(query, name));
    if ([from, to, limit].some(Number.isNaN)) refuse(-1100, 'A parameter is no number.');
    if (limit < 1) refuse(-1130, "Parameter 'limit' is too small.");
    const length = intervals[query.get('interval') ?? ''] ?? refuse(-1120, 'Invalid interval.');
    const pool = symbols.find((name) => name === query.get('symbol')) ?? refuse(-1121, 'Invalid symbol.');
    const range = { ...(from !== undefined && { from, keepsOldest: true }), to };
    return { pool, length, limit: Math.min(limit, 1000), ...range };
  },
  write: (row, { time, price, amount, quote }) => [
    time(row.start),
    ...[row.open, row.high, row.low, row.close].map(price),
    amount(row.volume),
    time(row.end - 1),
    quote(row.quote),
    row.trades,
    amount(row.takerVolume),
    quote(row.takerQuote),
    '0',
  ],
  wrap: (rows) => rows,
};
