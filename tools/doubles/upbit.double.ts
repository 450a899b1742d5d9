import { dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, readNumbers, type Venue } from './venue.ts';

const markets = ['KRW-BTC', 'KRW-ETH'] as const;
const minutes = [1, 3, 5, 10, 15, 30, 60, 240].map((count) => [`minutes/${count}`, count * minuteMs]);
const intervals: Readonly<Record<string, number>> = {
  ...Object.fromEntries(minutes),
  days: dayMs,
  weeks: 7 * dayMs,
};

function refuse(status: number, name: string): never {
  throw new Refused(status, { error: { name, message: 'The request cannot be served.' } });
}

/** Writes a text with a T between day and time; a count stays one. */
function withT(time: unknown): unknown {
  return typeof time === 'string' ? time.replace(' ', 'T') : time;
}

/** Plays Upbit's candles, without calendar months: the end of a range is exclusive, and times of Seoul are beside. */
export const upbit: Venue = {
  pools: markets,
  listings: [
    { price: 86_150, tradesPerMinute: 2, priceScale: 0, amountScale: 8 },
    { price: 12_340, tradesPerMinute: 0.5, priceScale: 0, amountScale: 8 },
  ],
  forms: { numbers: 'json', unit: 'iso', times: 'json' },
  idle: 'absent',
  order: 'newest first',
  headers: () => ({ 'cache-control': 'no-store' }),
  read: ({ path, query }) => {
    const [, interval = ''] = /^\/v1\/candles\/(.+)$/.exec(path) ?? [];
    const length = intervals[interval] ?? refuse(404, 'not_found');
    const pool = markets.find((name) => name === query.get('market')) ?? refuse(404, 'not_found');
    const [limit = 1] = readNumbers(query, ['count'], () => refuse(400, 'invalid_parameter'));
    const to = query.get('to');
    const end = to === null ? Number.POSITIVE_INFINITY : Date.parse(to) - 1;
    if (Number.isNaN(end)) refuse(400, 'invalid_parameter');
    return { pool, length, limit: Math.min(limit, 200), to: end };
  },
  write: (row, { time, price, amount, quote }, _, market) => ({
    market,
    candle_date_time_utc: withT(time(row.start)),
    candle_date_time_kst: withT(time(row.start + 9 * hourMs)),
    opening_price: price(row.open),
    high_price: price(row.high),
    low_price: price(row.low),
    trade_price: price(row.close),
    timestamp: row.end - 1 - ((row.trades * 997) % 40_000),
    candle_acc_trade_price: quote(row.quote),
    candle_acc_trade_volume: amount(row.volume),
    ...(row.end - row.start < dayMs && { unit: (row.end - row.start) / minuteMs }),
  }),
  wrap: (rows) => rows,
};
