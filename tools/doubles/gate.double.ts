import { dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, readWhole, type Venue, type VenueRequest, type Wanted } from './venue.ts';

const pairs = ['BTC_USDT', 'ETH_USDT'] as const;
const intervals: Readonly<Record<string, number>> = {
  '10s': 10_000,
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': hourMs,
  '4h': 4 * hourMs,
  '8h': 8 * hourMs,
  '1d': dayMs,
  '7d': 7 * dayMs,
};
const oldestRow = 10_000;

function refuse(message: string, label = 'INVALID_PARAM_VALUE'): never {
  throw new Refused(400, { label, message });
}

/** Reads a request of one of Gate's markets: a range by both ends, or a limit instead. */
export function readCandlesticks(
  { query, now }: VenueRequest,
  { name, pools, most }: { readonly name: string; readonly pools: readonly string[]; readonly most: number },
): Wanted {
  const symbol = query.get(name) ?? '';
  const pool = pools.find((each) => each === symbol);
  if (!pool) refuse(`Unknown ${name} ${symbol}`, `INVALID_${name.toUpperCase()}`);
  const length = intervals[query.get('interval') ?? '30m'] ?? refuse('Invalid interval');
  const [from, to, limit] = ['from', 'to', 'limit'].map((each) => readWhole(query, each));
  if ([from, to, limit].some(Number.isNaN)) refuse('Invalid number');
  if (limit !== undefined && from !== undefined) refuse('limit conflicts with from and to');
  const end = to === undefined ? now : Math.min(to * 1000, now);
  const start = from === undefined ? end - (Math.min(limit ?? 100, most) - 1) * length : from * 1000;
  if ((end - start) / length > most) refuse('Candlestick range too broad');
  if ((now - start) / length > oldestRow) refuse('Candlestick too long ago');
  return { pool, length, from: start, to: end, limit: most };
}

/** Plays Gate's candlesticks, without calendar months. */
export const gate: Venue = {
  pools: pairs,
  forms: { numbers: 'text', unit: 's', times: 'text' },
  idle: 'flat',
  order: 'oldest first',
  headers: () => ({ 'cache-control': 'no-store' }),
  read: (request) => {
    if (request.path !== '/api/v4/spot/candlesticks') throw new Refused(404);
    return readCandlesticks(request, { name: 'currency_pair', pools: pairs, most: 1000 });
  },
  write: (row, { time, price, amount, quote }, isClosed) => [
    time(row.start),
    quote(row.quote),
    ...[row.close, row.high, row.low, row.open].map(price),
    amount(row.volume),
    String(isClosed),
  ],
  wrap: (rows) => rows,
};
