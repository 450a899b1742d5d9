import { dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, type Venue } from './venue.ts';

const tickers = ['AAPL', 'SPY'] as const;
const pairs = ['X:BTCUSD', 'X:ETHUSD'] as const;
const timespans: Readonly<Record<string, number>> = { minute: minuteMs, hour: hourMs, day: dayMs };

const newYork = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  timeZoneName: 'longOffset',
});

/** Offsets of New York by the UTC hour, since a zone is slow to look up for every trade. */
const offsets = new Map<number, number>();

function offsetMs(time: number): number {
  const hour = Math.floor(time / hourMs);
  const known = offsets.get(hour) ?? Number(/GMT([+-]\d\d)/.exec(newYork.format(time))?.[1]) * hourMs;
  offsets.set(hour, known);
  return known;
}

/** Returns the start of an interval; days begin at midnight in New York. */
function intervalStart(time: number, length: number): number {
  if (length < dayMs) return Math.floor(time / length) * length;
  const midnight = Math.floor((time + offsetMs(time)) / dayMs) * dayMs - offsetMs(time);
  return midnight + offsetMs(time) - offsetMs(midnight);
}

/** Returns whether the market is closed: at night from eight to four, and at weekends. */
function isQuiet(time: number): boolean {
  const local = new Date(time + offsetMs(time));
  return local.getUTCHours() < 4 || local.getUTCHours() >= 20 || local.getUTCDay() % 6 === 0;
}

function errorBody(error: string) {
  return { status: 'ERROR', request_id: 'b84e24636301f19f88e0dfbf9a45ed5c', error };
}

function refuse(status: number, error: string): never {
  throw new Refused(status, errorBody(error));
}

/** Plays Polygon's bars of stocks, one timespan long. */
export const polygon: Venue = {
  pools: tickers,
  key: {
    value: 'polygon-double-key-0123456789abcdef',
    prefix: 'Bearer ',
    refusal: { status: 401, body: errorBody('Unknown API Key') },
  },
  listings: [
    { price: 2_300_000, tradesPerMinute: 2, priceScale: 4, amountScale: 0, isQuiet },
    { price: 6_100_000, tradesPerMinute: 0.3, priceScale: 4, amountScale: 0, isQuiet },
  ],
  forms: { numbers: 'json', unit: 'ms', times: 'json' },
  idle: 'absent',
  order: 'oldest first',
  intervalStart,
  read: ({ path, query }) => {
    const [, ticker = '', timespan = '', from, to] =
      /^\/v2\/aggs\/ticker\/([^/]+)\/range\/1\/([^/]+)\/(\d+)\/(\d+)$/.exec(path) ?? refuse(404, 'Not found');
    const length = timespans[timespan] ?? refuse(400, 'Could not parse the timespan');
    if (Number(from) > Number(to)) refuse(400, 'The from date must come before the to date');
    const pool = [...tickers, ...pairs].find((name) => name === ticker) ?? refuse(404, 'Ticker not found');
    const limit = Number(query.get('limit') ?? 5000);
    return { pool, length, from: Number(from), to: Number(to), limit, keepsOldest: true };
  },
  write: (row, { time, price, amount, vwap }) => ({
    v: amount(row.volume),
    vw: vwap(row),
    o: price(row.open),
    c: price(row.close),
    h: price(row.high),
    l: price(row.low),
    t: time(row.start),
    n: row.trades,
  }),
  wrap: (results, { pool: ticker }) => ({
    ticker,
    queryCount: results.length,
    resultsCount: results.length,
    adjusted: true,
    ...(results.length > 0 && { results }),
    status: 'OK',
    request_id: '6a7e466379af0a71039d60cc78e72282',
    count: results.length,
  }),
};

/** Plays Polygon's bars of crypto, which is traded at any hour and by days in UTC. */
export const polygonCrypto: Venue = {
  ...polygon,
  pools: pairs,
  listings: [
    { price: 6_100_000, tradesPerMinute: 2, priceScale: 2, amountScale: 8 },
    { price: 230_000, tradesPerMinute: 0.5, priceScale: 2, amountScale: 8 },
  ],
  intervalStart: (time, length) => Math.floor(time / length) * length,
};
