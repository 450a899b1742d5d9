import { createHash } from 'node:crypto';
import { dayMs, hourMs, minuteMs } from './market.ts';
import { Refused, readWhole, type Venue } from './venue.ts';

/** Milliseconds of each timeframe, and how many of them a row may span. */
const timeframes: Readonly<Record<string, readonly [unit: number, aggregates: readonly string[]]>> = {
  minute: [minuteMs, ['1', '5', '15']],
  hour: [hourMs, ['1', '4', '12']],
  day: [dayMs, ['1']],
};

const pools = [`0x88e6${'a'.repeat(36)}`, `0x11b8${'5'.repeat(36)}`] as const;

/** Dollars of a tick: prices and sums have the rounding errors of binary numbers, as those of the venue do. */
const tickUsd: Readonly<Record<string, number>> = { [pools[0]]: 1.0000731e-5, [pools[1]]: 1.00021e-11 };

function refuse(status: number, title: string): never {
  throw new Refused(status, { errors: [{ status: String(status), title }] });
}

/** Returns whether an instant is from one to six at night, or on every eleventh day. */
function isAsleep(time: number): boolean {
  const hour = (time % dayMs) / hourMs;
  return (hour >= 1 && hour < 6) || Math.floor(time / dayMs) % 11 === 4;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Plays GeckoTerminal's candles of a pool. */
export const geckoterminal: Venue = {
  pools,
  listings: [
    { price: 300_000_000, tradesPerMinute: 1.2, priceScale: 0, amountScale: 0 },
    { price: 2_238_000, tradesPerMinute: 0.15, priceScale: 0, amountScale: 0, isQuiet: isAsleep },
  ],
  forms: { numbers: 'json', unit: 's', times: 'json' },
  idle: 'absent',
  order: 'newest first',
  cachedMs: minuteMs,
  headers: ({ now }, body) => ({
    'content-type': 'application/json; charset=utf-8',
    vary: 'Accept-Encoding',
    ...(Object.hasOwn(Object(body), 'data') && {
      'cache-control': 'max-age=60, public',
      age: String(Math.floor((now % minuteMs) / 1000)),
      etag: `W/"${digest(JSON.stringify(body))}"`,
    }),
  }),
  read: ({ path, query }) => {
    const [, address, name = ''] =
      /^\/api\/v2\/networks\/eth\/pools\/([^/]+)\/ohlcv\/([^/]+)$/.exec(path) ?? [];
    const pool = pools.find((pool) => pool === address) ?? refuse(404, 'Not Found');
    const [unit, aggregates] = timeframes[name] ?? refuse(400, 'Timeframe is not supported');
    const aggregate = query.get('aggregate') ?? '1';
    if (!aggregates.includes(aggregate)) refuse(400, 'Aggregate is not supported');
    const limit = readWhole(query, 'limit') ?? 100;
    if (!(limit >= 1 && limit <= 1000)) refuse(400, 'Limit is not from 1 to 1000');
    const before = readWhole(query, 'before_timestamp');
    if (Number.isNaN(before)) refuse(400, 'Before_timestamp is no whole number');
    if (!['usd', 'token'].includes(query.get('currency') ?? 'usd')) refuse(400, 'Currency is not supported');
    return {
      pool,
      length: unit * Number(aggregate),
      limit,
      ...(before !== undefined && { to: before * 1000 - 1 }),
    };
  },
  write: ({ start, open, high, low, close, quote }, { time, number }, _isClosed, pool) => {
    const usd = tickUsd[pool] ?? 0;
    return [
      time(start),
      ...[open, high, low, close].map((price) => number(price * usd)),
      number(quote * usd * 1e-5),
    ];
  },
  wrap: (rows, _wanted, { path, query }) => ({
    data: {
      id: digest(`${path}?${query}`),
      type: 'ohlcv_request_response',
      attributes: { ohlcv_list: rows },
    },
    meta: {
      base: { address: `0xc02a${'b'.repeat(36)}`, name: 'Wrapped Ether', symbol: 'WETH' },
      quote: { address: `0xa0b8${'6'.repeat(36)}`, name: 'USD Coin', symbol: 'USDC' },
    },
  }),
};
