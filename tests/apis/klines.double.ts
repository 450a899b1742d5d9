import { type Double, type DoubleReply, type DoubleWorld, horizonMs, openDouble } from './double.ts';
import { commonFaults, type DoubleFault, type RequestedRows, spoilMarked } from './faults.ts';
import { type Bar, dayMs, hourMs, minuteMs, TradedMarket } from './market.ts';

/** Like Binance's spot klines, of which gallery/binance/openapi.yaml is the document. Calendar months are left out. */
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

/** 1970 began on a Thursday, weeks begin on Monday. */
const mondayMs = 4 * dayMs;

/** Decimals of a price and of an amount: a tick and a lot. */
type Pair = {
  readonly market: TradedMarket;
  readonly priceScale: number;
  readonly amountScale: number;
  readonly tradesAlone: boolean;
};

export const klineFaults: readonly DoubleFault[] = [
  ...commonFaults,
  { name: 'lost-row', rule: 'history/complete', spoil: spoilMarked(() => []) },
  {
    // The column of what buyers took stands where the whole volume belongs.
    name: 'hours-of-another-column',
    rule: 'rollup/volume-is-summed',
    spoil: (rows, { length }) =>
      length === hourMs ? rows.map((row) => ({ ...row, volume: row.takerVolume })) : rows,
  },
  {
    name: 'close-time-a-minute-late',
    rule: 'candle/lasts-at-most-its-interval',
    spoil: (rows) => rows.map((row) => ({ ...row, end: row.end + minuteMs })),
  },
  {
    name: 'start-in-another-zone',
    rule: 'history/candles-meet-the-range',
    misread: ({ from, ...rest }) => ({ ...rest, ...(from !== undefined && { from: from - 8 * hourMs }) }),
  },
];

/** Opens it with two pairs, a busy one and one that nothing is traded of in many a minute. */
export function openKlines(world: DoubleWorld, fault?: DoubleFault): Promise<Double> {
  const pairs = new Map<string, Pair>([
    ['ETHUSDT', makePair(world, { price: 300_000, busyness: 2 }, 2, 4)],
    ['ADABTC', makePair({ ...world, seed: world.seed + 100 }, { price: 12_340, busyness: 0.3 }, 8, 0)],
  ]);
  const symbols = world.quietFirst ? [...pairs.keys()].reverse() : [...pairs.keys()];
  return openDouble(world, symbols, ({ method, url, now }) => {
    if (url.pathname !== '/api/v3/klines') return { status: 404, headers };
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { ...headers, allow: 'GET' } };
    return findMistake(url.searchParams, pairs) ?? klines(url.searchParams, pairs, now, fault);
  });
}

function makePair(
  { seed, opensAt, age, pace = 1, tradesAlone = false }: DoubleWorld,
  { price, busyness }: { readonly price: number; readonly busyness: number },
  priceScale: number,
  amountScale: number,
): Pair {
  const opens = Date.parse(opensAt);
  const listed = Math.floor(opens - age * dayMs);
  const until = opens + horizonMs;
  const market = new TradedMarket({ seed, listed, until, price, tradesPerMinute: pace * busyness });
  return { market, priceScale, amountScale, tradesAlone };
}

const headers = {
  'content-type': 'application/json;charset=UTF-8',
  'cache-control': 'no-cache, no-store, must-revalidate',
  pragma: 'no-cache',
  'access-control-allow-origin': '*',
  'x-mbx-used-weight-1m': '2',
};

const known: readonly string[] = ['symbol', 'interval', 'startTime', 'endTime', 'limit', 'timeZone'];

/** The first mistake in a query, in the words of a refusal. */
function findMistake(query: URLSearchParams, pairs: ReadonlyMap<string, Pair>): DoubleReply | undefined {
  const refuse = (code: number, msg: string): DoubleReply => ({ status: 400, headers, body: { code, msg } });
  const names = [...query.keys()];
  if (new Set(names).size < names.length) return refuse(-1101, 'A parameter was sent twice.');
  if (!names.every((name) => known.includes(name))) return refuse(-1104, 'A parameter was not read.');
  for (const name of ['symbol', 'interval'])
    if (!query.get(name)) return refuse(-1102, `Parameter '${name}' was not sent or is empty.`);
  for (const name of ['startTime', 'endTime', 'limit'])
    if (!/^\d{1,20}$/.test(query.get(name) ?? '0')) return refuse(-1100, `Parameter '${name}' is no number.`);
  if (Number(query.get('limit') ?? 1) < 1) return refuse(-1130, "Parameter 'limit' is too small.");
  if (!Object.hasOwn(intervals, query.get('interval') ?? '')) return refuse(-1120, 'Invalid interval.');
  if (!pairs.has(query.get('symbol') ?? '')) return refuse(-1121, 'Invalid symbol.');
  return undefined;
}

function klines(
  query: URLSearchParams,
  pairs: ReadonlyMap<string, Pair>,
  now: number,
  { misread = (wanted) => wanted, until, spoil }: Partial<DoubleFault> = {},
): DoubleReply {
  const pair = pairs.get(query.get('symbol') ?? '');
  const length = intervals[query.get('interval') ?? ''];
  if (!pair || length === undefined) return { status: 500, headers };
  const wanted = misread({
    length,
    ...(query.has('startTime') && { from: Number(query.get('startTime')) }),
    ...(query.has('endTime') && { to: Number(query.get('endTime')) }),
    limit: Math.min(Number(query.get('limit') ?? 500), 1000),
  });
  const rows = listStarts(wanted, pair.market.listed, now).flatMap(
    (start) => makeRow(pair, start, length, until?.(start, wanted, now) ?? now) ?? [],
  );
  return { status: 200, headers, body: (spoil?.(rows, wanted) ?? rows).map((row) => inText(row, pair)) };
}

/** From the start of the range on where it has one, else back from its end. */
function listStarts({ length, from, to, limit }: RequestedRows, listed: number, now: number): number[] {
  const newest = intervalStart(Math.min(to ?? now, now), length);
  const born = intervalStart(listed, length);
  const oldest =
    from === undefined ? newest - (limit - 1) * length : intervalStart(from + length - 1, length);
  const first = Math.max(oldest, born);
  const count = Math.min(limit, Math.max(0, (newest - first) / length + 1));
  return Array.from({ length: count }, (_, at) => first + at * length);
}

function intervalStart(time: number, length: number): number {
  const phase = length === 7 * dayMs ? mondayMs : 0;
  return Math.floor((time - phase) / length) * length + phase;
}

/**
 * A row without a trade stands at the price before. Rows of a minute make up the longer ones, so that an interval whose
 * first minute is idle opens there; unless trades alone do.
 */
function makeRow(
  { market, tradesAlone }: Pair,
  start: number,
  length: number,
  until: number,
): Bar | undefined {
  const end = start + length;
  const bar = market.bar(start, end, until);
  const before = market.priceBefore(start);
  const isComplete = tradesAlone || market.bar(start, Math.min(end, start + minuteMs), until);
  if (before === undefined || (bar && isComplete)) return bar;
  const flat = { open: before, high: before, low: before, close: before };
  if (bar) return { ...bar, open: before, high: Math.max(bar.high, before), low: Math.min(bar.low, before) };
  return { start, end, ...flat, volume: 0, quote: 0, trades: 0, takerVolume: 0, takerQuote: 0 };
}

function inText(row: Bar, { priceScale, amountScale }: Pair): unknown[] {
  const prices = [row.open, row.high, row.low, row.close].map((price) => decimal(price, priceScale));
  return [
    row.start,
    ...prices,
    decimal(row.volume, amountScale),
    row.end - 1,
    decimal(row.quote, priceScale + amountScale),
    row.trades,
    decimal(row.takerVolume, amountScale),
    decimal(row.takerQuote, priceScale + amountScale),
    '0',
  ];
}

const places = 8;

/** A whole number of 10^-scale. */
function decimal(units: number, scale: number): string {
  const digits = String(BigInt(units) * 10n ** BigInt(places - scale)).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
