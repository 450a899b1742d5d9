import { createHash } from 'node:crypto';
import { type Double, type DoubleReply, type DoubleWorld, horizonMs, openDouble } from './double.ts';
import { commonFaults, type DoubleFault, type RequestedRows } from './faults.ts';
import { type Bar, dayMs, hourMs, minuteMs, TradedMarket, withPrices } from './market.ts';

/** Like GeckoTerminal's candles of a pool, of which gallery/geckoterminal/openapi.yaml is the document. */

/** Milliseconds of each timeframe, and how many of them a row may span. */
const timeframes: Readonly<
  Record<string, { readonly unit: number; readonly aggregates: readonly string[] }>
> = {
  minute: { unit: minuteMs, aggregates: ['1', '5', '15'] },
  hour: { unit: hourMs, aggregates: ['1', '4', '12'] },
  day: { unit: dayMs, aggregates: ['1'] },
};

/** Value of a tick in dollars, and of a tick per lot. */
type Pool = { readonly market: TradedMarket; readonly tickUsd: number; readonly quoteUsd: number };

/** Rows that are fetched from behind at a time. */
const page = 100;

export const poolFaults: readonly DoubleFault[] = [
  ...commonFaults,
  {
    name: 'hours-counted-twice',
    rule: 'rollup/volume-is-summed',
    spoil: (rows, { length }) =>
      length === hourMs ? rows.map((row) => ({ ...row, quote: 2 * row.quote })) : rows,
  },
  {
    name: 'end-ignored',
    rule: 'history/candles-meet-the-range',
    misread: ({ to: _, ...rest }) => rest,
  },
  {
    name: 'row-lost-between-pages',
    rule: 'history/split-loses-nothing',
    spoil: (rows) => rows.filter((_, at) => rows.length - at !== page),
  },
  {
    name: 'past-in-fewer-digits',
    rule: 'history/closed-candles-stay',
    spoil: (rows) => rows.map((row, at) => (rows.length - at > page ? inFewerDigits(row) : row)),
  },
];

function inFewerDigits(row: Bar): Bar {
  return withPrices(row, (price) => Math.floor(price / 1000) * 1000);
}

/** Opens it with two pools, a busy one and one that sleeps at night and for whole days. */
export function openPoolOhlcv(world: DoubleWorld, fault?: DoubleFault): Promise<Double> {
  const pools = new Map<string, Pool>([
    [`0x88e6${'a'.repeat(36)}`, makePool(world, 300_000_000, 1.2, 1.0000731e-5)],
    [`0x11b8${'5'.repeat(36)}`, makePool({ ...world, seed: world.seed + 100 }, 2_238_000, 0.15, 1.00021e-11)],
  ]);
  const addresses = world.quietFirst ? [...pools.keys()].reverse() : [...pools.keys()];
  return openDouble(world, addresses, ({ method, url, tag, now }) => {
    if (method !== 'GET' && method !== 'HEAD') return refuse(404, 'Not Found');
    const reply = answer(url, pools, now, fault);
    if (reply.status !== 200) return reply;
    const etag = `W/"${createHash('sha256').update(JSON.stringify(reply.body)).digest('hex').slice(0, 32)}"`;
    const headers = { ...reply.headers, etag };
    return tag === etag ? { status: 304, headers } : { ...reply, headers };
  });
}

function makePool(
  { seed, opensAt, age, pace = 1 }: DoubleWorld,
  price: number,
  busyness: number,
  tickUsd: number,
): Pool {
  const opens = Date.parse(opensAt);
  const listed = Math.floor(opens - age * dayMs);
  const isSleepy = busyness < 1;
  const market = new TradedMarket({
    seed,
    listed,
    until: opens + horizonMs,
    price,
    tradesPerMinute: pace * busyness,
    ...(isSleepy && { isQuiet: isAsleep }),
  });
  return { market, tickUsd, quoteUsd: tickUsd * 1e-5 };
}

/** From one to six at night, and every eleventh day. */
function isAsleep(time: number): boolean {
  const hour = (time % dayMs) / hourMs;
  return (hour >= 1 && hour < 6) || Math.floor(time / dayMs) % 11 === 4;
}

function refuse(status: number, title: string): DoubleReply {
  return { status, headers: plain, body: { errors: [{ status: String(status), title }] } };
}

const plain = { 'content-type': 'application/json; charset=utf-8', vary: 'Accept-Encoding' };

function answer(
  url: URL,
  pools: ReadonlyMap<string, Pool>,
  now: number,
  fault: Partial<DoubleFault> = {},
): DoubleReply {
  const path = /^\/api\/v2\/networks\/eth\/pools\/([^/]+)\/ohlcv\/([^/]+)$/.exec(url.pathname);
  const pool = pools.get(path?.[1] ?? '');
  if (!path || !pool) return refuse(404, 'Not Found');
  const wanted = wantedBy(path[2] ?? '', url.searchParams);
  if (typeof wanted === 'string') return refuse(400, wanted);
  // A cache returns for a minute what it received at the start of the minute.
  const asOf = now - (now % minuteMs);
  const rows = makeRows(pool.market, fault.misread?.(wanted) ?? wanted, asOf, fault);
  const list = rows.toReversed().map((row) => inDollars(row, pool));
  const age = String(Math.floor((now - asOf) / 1000));
  return {
    status: 200,
    headers: { ...plain, 'cache-control': 'max-age=60, public', age },
    body: envelope(list, `${url.pathname}${url.search}`),
  };
}

/** Rows that a request asks for, or what is wrong with it. */
function wantedBy(name: string, query: URLSearchParams): RequestedRows | string {
  const timeframe = Object.hasOwn(timeframes, name) ? timeframes[name] : undefined;
  if (!timeframe) return 'Timeframe is not supported';
  const aggregate = query.get('aggregate') ?? '1';
  if (!timeframe.aggregates.includes(aggregate)) return 'Aggregate is not supported';
  const limit = Number(query.get('limit') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) return 'Limit is not from 1 to 1000';
  const before = query.get('before_timestamp');
  if (before !== null && !/^\d+$/.test(before)) return 'Before_timestamp is no whole number';
  if (!['usd', 'token'].includes(query.get('currency') ?? 'usd')) return 'Currency is not supported';
  return {
    length: timeframe.unit * Number(aggregate),
    ...(before !== null && { to: Number(before) * 1000 - 1 }),
    limit,
  };
}

/** The newest rows that start in time, idle intervals left out, in the order of time. */
function makeRows(
  market: TradedMarket,
  wanted: RequestedRows,
  now: number,
  { until, spoil }: Partial<DoubleFault>,
): readonly Bar[] {
  const { length, to = now, limit } = wanted;
  const rows: Bar[] = [];
  let start = Math.floor(Math.min(to, now) / length) * length;
  for (; start + length > market.listed && rows.length < limit; start -= length) {
    const row = market.bar(start, start + length, until?.(start, wanted, now) ?? now);
    if (row) rows.push(row);
  }
  rows.reverse();
  return spoil?.(rows, wanted) ?? rows;
}

/** Numbers as a double holds them: the worth of an hour is the sum of its minutes' but for the rounding of each. */
function inDollars({ start, open, high, low, close, quote }: Bar, { tickUsd, quoteUsd }: Pool): number[] {
  return [start / 1000, ...[open, high, low, close].map((price) => price * tickUsd), quote * quoteUsd];
}

function envelope(list: readonly number[][], request: string): unknown {
  const id = createHash('sha256').update(request).digest('hex').slice(0, 32);
  const token = (address: string, name: string, symbol: string) => ({ address, name, symbol });
  return {
    data: { id, type: 'ohlcv_request_response', attributes: { ohlcv_list: list } },
    meta: {
      base: token(`0xc02a${'b'.repeat(36)}`, 'Wrapped Ether', 'WETH'),
      quote: token(`0xa0b8${'6'.repeat(36)}`, 'USD Coin', 'USDC'),
    },
  };
}
