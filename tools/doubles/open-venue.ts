import { type Double, type DoubleReply, type DoubleWorld, horizonMs, openDouble } from './double.ts';
import type { DoubleFault } from './faults.ts';
import { type Bar, dayMs, minuteMs, TradedMarket } from './market.ts';
import {
  type Forms,
  type Listing,
  Refused,
  type Venue,
  type VenueRequest,
  type Wanted,
  type Writer,
} from './venue.ts';

const usualListings: readonly [Listing, Listing] = [
  { price: 300_000, tradesPerMinute: 2, priceScale: 2, amountScale: 4 },
  { price: 12_340, tradesPerMinute: 0.5, priceScale: 5, amountScale: 1 },
];

type Pool = { readonly market: TradedMarket; readonly listing: Listing };

/** Opens a venue on loopback in a world, with a fault if one is given. */
export function openVenue(
  venue: Venue,
  world: DoubleWorld,
  fault: Partial<DoubleFault> = {},
): Promise<Double> {
  const pools = new Map(
    venue.pools.map((id, at) => [
      id,
      listPool(world, (venue.listings ?? usualListings)[at === 0 ? 0 : 1], at),
    ]),
  );
  const ids = world.quietFirst ? venue.pools.toReversed() : venue.pools;
  return openDouble(world, ids, ({ method, url, body, headers, now }) => {
    const request = { path: decodeURIComponent(url.pathname), query: url.searchParams, body, headers, now };
    const { key } = venue;
    const isRefused = key && headers.authorization !== `${key.prefix}${key.value}`;
    const isRead = venue.isPosted ? method === 'POST' : method === 'GET' || method === 'HEAD';
    const served: DoubleReply = isRead ? answer(venue, pools, request, world, fault) : { status: 405 };
    const reply = isRefused ? key.refusal : served;
    const sent = { 'content-type': 'application/json', ...venue.headers?.(request, reply.body) };
    const isKnown = reply.status === 200 && 'etag' in sent && sent.etag === headers['if-none-match'];
    return isKnown ? { status: 304, headers: sent } : { ...reply, headers: sent };
  });
}

/** The markets of the last venue: its faults are all shown on the same ones, which take a second to make. */
const lastMarkets = new Map<string, TradedMarket>();

function listPool({ seed, opensAt, age, pace = 1 }: DoubleWorld, listing: Listing, at: number): Pool {
  const opens = Date.parse(opensAt);
  const options = {
    ...listing,
    seed: seed + 100 * at,
    listed: Math.floor(opens - age * dayMs),
    until: opens + horizonMs,
    tradesPerMinute: pace * listing.tradesPerMinute,
  };
  const name = JSON.stringify({ ...options, isQuiet: String(listing.isQuiet) });
  const market = lastMarkets.get(name) ?? new TradedMarket(options);
  if (!lastMarkets.has(name) && lastMarkets.size >= 4) lastMarkets.clear();
  lastMarkets.set(name, market);
  return { market, listing };
}

function answer(
  venue: Venue,
  pools: ReadonlyMap<string, Pool>,
  request: VenueRequest,
  world: DoubleWorld,
  {
    misread = (wanted) => wanted,
    spoil = (rows) => rows,
    reform = (forms) => forms,
    ...fault
  }: Partial<DoubleFault>,
): DoubleReply {
  try {
    const read = venue.read(request);
    const pool = pools.get(read.pool);
    if (!pool) throw new Error(`${read.pool} is no pool, and the venue must refuse it`);
    const wanted = { ...read, ...misread(read) };
    const { cachedMs = 1 } = venue;
    const now = request.now - (request.now % cachedMs) - (fault.behindMs ?? 0);
    const makeRow = (start: number, end: number): Bar | undefined => {
      const until = fault.until?.(start, wanted, now) ?? now;
      const { idle, flatAfterMs = Number.NEGATIVE_INFINITY } = venue;
      return idle === 'flat' && end + flatAfterMs <= now
        ? flatRow(pool.market, start, end, until, world)
        : pool.market.bar(start, end, until);
    };
    const rows = spoil(listRows(venue, pool.market.listed, wanted, now, makeRow), wanted);
    const writer = makeWriter(pool.listing, reform(venue.forms), venue.places);
    const written = rows.map((row) => venue.write(row, writer, row.end <= now, read.pool));
    return {
      status: 200,
      body: venue.wrap(venue.order === 'oldest first' ? written : written.reverse(), wanted, request),
    };
  } catch (error) {
    if (error instanceof Refused) return error.reply;
    throw error;
  }
}

/** Lists the rows of a range in the order of time, at most as many as the limit. */
function listRows(
  { intervalStart = utcStart }: Venue,
  listed: number,
  { length, from = 0, to = Number.POSITIVE_INFINITY, limit, keepsOldest }: Wanted,
  now: number,
  makeRow: (start: number, end: number) => Bar | undefined,
): Bar[] {
  const first = intervalStart(Math.max(from, listed), length);
  const oldest = first < from ? intervalStart(first + 1.5 * length, length) : first;
  const newest = intervalStart(Math.min(to, now), length);
  const rows: Bar[] = [];
  let start = keepsOldest ? oldest : newest;
  while (start >= oldest && start <= newest && rows.length < limit) {
    const next = intervalStart(start + 1.5 * length, length);
    const row = makeRow(start, next);
    if (row) rows.push(row);
    start = keepsOldest ? next : intervalStart(start - 1, length);
  }
  return keepsOldest ? rows : rows.reverse();
}

/** 1970 began on a Thursday, weeks begin on Monday. */
const mondayMs = 4 * dayMs;

function utcStart(time: number, length: number): number {
  const phase = length === 7 * dayMs ? mondayMs : 0;
  return Math.floor((time - phase) / length) * length + phase;
}

/**
 * Makes a row with the previous price if nothing was traded. Rows of a minute make up the longer ones, so an interval
 * whose first minute is idle opens at that price, unless trades alone count.
 */
function flatRow(
  market: TradedMarket,
  start: number,
  end: number,
  until: number,
  { tradesAlone = false }: DoubleWorld,
): Bar | undefined {
  const bar = market.bar(start, end, until);
  const before = market.priceBefore(start);
  const isComplete = tradesAlone || market.bar(start, Math.min(end, start + minuteMs), until);
  if (before === undefined || (bar && isComplete)) return bar;
  const flat = { open: before, high: before, low: before, close: before };
  if (bar) return { ...bar, open: before, high: Math.max(bar.high, before), low: Math.min(bar.low, before) };
  return { start, end, ...flat, volume: 0, quote: 0, trades: 0, takerVolume: 0, takerQuote: 0 };
}

function makeWriter(
  { priceScale, amountScale }: Listing,
  { numbers, unit, times }: Forms,
  places?: number,
): Writer {
  const asForm = (text: string) => (numbers === 'text' ? text : Number(text));
  const scaled = (units: number, scale: number) => asForm(decimal(units, scale, places ?? scale));
  return {
    time: (ms) => {
      const value =
        unit === 'iso'
          ? new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
          : unit === 's'
            ? ms / 1000
            : ms;
      return times === 'text' ? String(value) : value;
    },
    price: (ticks) => scaled(ticks, priceScale),
    amount: (lots) => scaled(lots, amountScale),
    quote: (units) => scaled(units, priceScale + amountScale),
    vwap: ({ quote, volume }) => scaled(volume > 0 ? Math.round((100 * quote) / volume) : 0, priceScale + 2),
    number: (value) => asForm(String(value)),
  };
}

/** Writes a whole number of 10^-scale with a number of decimals. */
function decimal(units: number, scale: number, places: number): string {
  const digits = String(BigInt(Math.abs(units)) * 10n ** BigInt(places - scale)).padStart(places + 1, '0');
  const sign = units < 0 ? '-' : '';
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
