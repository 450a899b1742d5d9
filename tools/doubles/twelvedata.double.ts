import { dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, readWhole, type Venue } from './venue.ts';

const symbols = ['BTC/USD', 'ETH/USD'] as const;
const intervals: Readonly<Record<string, number>> = {
  ...Object.fromEntries([1, 5, 15, 30, 45].map((count) => [`${count}min`, count * minuteMs])),
  ...Object.fromEntries([1, 2, 4, 8].map((count) => [`${count}h`, count * hourMs])),
  '1day': dayMs,
  '1week': 7 * dayMs,
};

function refuse(code: number, message: string): never {
  throw new Refused(200, { code, message, status: 'error' });
}

/** Reads a day, or a day and a time, in UTC. */
function readDate(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?$/.exec(text) ?? [];
  const instant = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(instant) ? refuse(400, `**${name}** is not a date`) : instant;
}

/** Plays the time series of Twelve Data, without calendar months. */
export const twelvedata: Venue = {
  pools: symbols,
  key: {
    value: 'twelvedata-double-key-0123456789ab',
    prefix: 'apikey ',
    refusal: {
      status: 200,
      body: { code: 401, message: '**apikey** parameter is incorrect', status: 'error' },
    },
  },
  forms: { numbers: 'text', unit: 'iso', times: 'text' },
  idle: 'absent',
  order: 'newest first',
  read: ({ path, query }) => {
    if (path !== '/time_series') throw new Refused(404);
    const pool = symbols.find((name) => name === query.get('symbol'));
    if (!pool) refuse(404, '**symbol** not found');
    const length = intervals[query.get('interval') ?? ''] ?? refuse(400, '**interval** is not supported');
    if (query.get('timezone') !== 'UTC') refuse(400, '**timezone** is not the one of this double');
    const limit = readWhole(query, 'outputsize') ?? 30;
    if (!(limit >= 1 && limit <= 5000)) refuse(400, '**outputsize** is not from 1 to 5000');
    const [from, to] = [readDate(query, 'start_date'), readDate(query, 'end_date')];
    return { pool, length, limit, from, to };
  },
  write: (row, { time, price, amount }) => {
    const start = time(row.start);
    const isDay = row.end - row.start >= dayMs && typeof start === 'string';
    return {
      datetime: isDay ? start.slice(0, 10) : start,
      open: price(row.open),
      high: price(row.high),
      low: price(row.low),
      close: price(row.close),
      volume: amount(row.volume),
    };
  },
  wrap: (values, { pool: symbol }, { query }) =>
    values.length > 0
      ? { meta: { symbol, interval: query.get('interval'), currency_base: symbol }, values, status: 'ok' }
      : { code: 400, message: 'No data is available on the specified dates.', status: 'error' },
};
