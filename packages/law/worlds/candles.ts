import { minute } from '@candleproof/document/spec/interval';
import { oncePer } from '../reading/once.ts';
import { coinPrice, type Past, type WorldGeneration, type WorldMarket } from './market.ts';
import { intervalOffset, intervalSeconds, type World, type WorldInterval } from './world.ts';

/** A series of candles as a client requests it. */
export type CandleSeries = {
  readonly generation: WorldGeneration;
  readonly pool: number;
  readonly interval: WorldInterval;
  readonly inverted: boolean;
};

/** A candlestick record (§2.2) with the document's field names. */
export type Row = Record<string, unknown> & {
  readonly timestampSeconds: number;
  readonly startTimestampSeconds: number;
};

/** Returns the newest minute visible at `now` by the server's clock. */
export function newestMinute({ lag }: World, now: number): number {
  return Math.floor((now - lag) / minute);
}

/** Returns the start of the interval that contains a time. */
export function intervalStart(world: World, interval: WorldInterval, seconds: number): number {
  const phase = intervalOffset(world, interval);
  const length = intervalSeconds[interval];
  return phase + Math.floor((seconds - phase) / length) * length;
}

/** Returns the candle from `start` as seen at `now`; undefined while nothing of it has been observed. */
export function makeCandle(
  world: World,
  market: WorldMarket,
  { generation, pool, interval, inverted }: CandleSeries,
  start: number,
  now: number,
): Row | undefined {
  const past = market(generation, pool);
  const end = start + intervalSeconds[interval];
  const newest = newestMinute(world, now);
  const sums = sumUpOnce(world, past, { from: start / minute, end: end / minute, newest, inverted });
  if (sums.count === 0) return undefined;
  const liquidity = past.liquidity(sums.last);
  const isStampedByInterval = newest >= end / minute || world.openEnd === 'interval end';
  return {
    ...(world.extraFields && { id: start / minute, source: { node: 'a' } }),
    poolId: pool,
    ...reportPrices(world, sums),
    volume: String(sums.volume),
    volumeUsd: usdText(world, sums.micros),
    liquidity: String(liquidity),
    liquidityUsd: usdText(world, (liquidity / 1e8) * coinPrice(sums.last) * 1e6),
    timestampSeconds: isStampedByInterval ? end - world.endsEarly : sums.last * minute,
    startTimestampSeconds: start,
    ...(world.trading && reportTrading(sums, newest >= end / minute)),
  };
}

function reportTrading({ volume, worth, quote, trades }: ReturnType<typeof sumUp>, closed: boolean) {
  return { vwap: volume > 0 ? worth / volume : 0, quoteVolume: String(quote), trades, closed };
}

/** Minutes: the first of the interval, the first after it, and the newest visible one. */
type Span = {
  readonly from: number;
  readonly end: number;
  readonly newest: number;
  readonly inverted: boolean;
};

/** Sums of intervals that are over, by their minutes: many answers have the same candles. */
const findSums = oncePer((_: Past) => new Map<string, ReturnType<typeof sumUp>>());

function sumUpOnce(world: World, past: Past, span: Span): ReturnType<typeof sumUp> {
  if (span.newest < span.end) return sumUp(world, past, span);
  const known = findSums(past);
  const { sharedBoundaries, constant } = world;
  const name = `${span.from} ${span.end} ${span.inverted ? constant : ''} ${sharedBoundaries}`;
  const sums = known.get(name) ?? sumUp(world, past, span);
  known.set(name, sums);
  return sums;
}

/** Sums up an interval's observations. Trades at a shared boundary count once, even if two candles see its price. */
function sumUp(world: World, { at: observedAt }: Past, { from, end, newest, inverted }: Span) {
  const sums = { open: 0, high: -Infinity, low: Infinity, close: 0, total: 0, count: 0, last: 0 };
  const traded = { volume: 0, micros: 0, worth: 0, quote: 0, trades: 0 };
  const to = Math.min(newest, world.sharedBoundaries ? end : end - 1);
  for (let at = from; at <= to; at++) {
    const observed = observedAt(at);
    if (!observed) continue;
    const price = inverted ? world.constant / observed.price : observed.price;
    if (sums.count === 0) sums.open = price;
    if (price > sums.high) sums.high = price;
    if (price < sums.low) sums.low = price;
    sums.close = price;
    sums.total += price;
    sums.count += 1;
    sums.last = at;
    if (at === end) continue;
    traded.volume += observed.volume;
    traded.micros += observed.volumeMicros;
    traded.worth += price * observed.volume;
    traded.quote += Math.round((observed.price * observed.volume) / 1e9);
    traded.trades += observed.volume > 0 ? 1 : 0;
  }
  return { ...sums, ...traded };
}

function reportPrices({ digits }: World, { open, high, low, close, total, count }: ReturnType<typeof sumUp>) {
  const reported = (price: number): number => {
    if (digits === 'single') return Math.fround(price);
    return digits === undefined ? price : Number(price.toPrecision(digits));
  };
  return {
    open: reported(open),
    high: reported(high),
    low: reported(low),
    close: reported(close),
    avg: reported(total / count),
  };
}

function usdText({ usd }: World, micros: number): string {
  const cents = usd.cents === 'cut' ? Math.floor(micros / 1e4) : Math.round(micros / 1e4);
  return usd.text === 'shortest' ? String(cents / 100) : (cents / 100).toFixed(2);
}
