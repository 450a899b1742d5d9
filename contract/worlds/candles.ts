import { minute } from '../document/interval.ts';
import { intervalSeconds, type WorldInterval } from './intervals.ts';
import { dollars, type Past, type WorldGeneration, type WorldMarket } from './market.ts';
import { phaseIn, type World } from './world.ts';

/** A series of candles as a client names it. */
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

/** The newest minute that is visible at this time of the server's clock. */
export function newestMinute({ lag }: World, now: number): number {
  return Math.floor((now - lag) / minute);
}

/** Start of the interval that holds this time. */
export function startOf(world: World, interval: WorldInterval, seconds: number): number {
  const phase = phaseIn(world, interval);
  const length = intervalSeconds[interval];
  return phase + Math.floor((seconds - phase) / length) * length;
}

/** The candle from `start` as it looks at `now`; undefined while nothing of it is observed. */
export function candleFrom(
  world: World,
  market: WorldMarket,
  { generation, pool, interval, inverted }: CandleSeries,
  start: number,
  now: number,
): Row | undefined {
  const past = market(generation, pool);
  const end = start + intervalSeconds[interval];
  const newest = newestMinute(world, now);
  const sums = sumUp(world, past, { from: start / minute, end: end / minute, newest, inverted });
  if (sums.count === 0) return undefined;
  const liquidity = past.liquidityAt(sums.last);
  const isStampedByInterval = newest >= end / minute || world.openEnd === 'interval end';
  return {
    ...(world.extraFields && { id: start / minute, source: { node: 'a' } }),
    poolId: pool,
    ...pricesOf(world, sums),
    volume: String(sums.volume),
    volumeUsd: usdText(world, sums.micros),
    liquidity: String(liquidity),
    liquidityUsd: usdText(world, (liquidity / 1e8) * dollars(sums.last) * 1e6),
    timestampSeconds: isStampedByInterval ? end - world.endsEarly : sums.last * minute,
    startTimestampSeconds: start,
  };
}

/** Minutes: the first of the interval, the first after it, and the newest that is visible. */
type Span = {
  readonly from: number;
  readonly end: number;
  readonly newest: number;
  readonly inverted: boolean;
};

/** What was traded at a shared boundary is counted once, whichever candle sees its price. */
function sumUp(world: World, { at: observedAt }: Past, { from, end, newest, inverted }: Span) {
  const sums = { open: 0, high: -Infinity, low: Infinity, close: 0, total: 0, count: 0, last: 0 };
  const traded = { volume: 0, micros: 0 };
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
  }
  return { ...sums, ...traded };
}

function pricesOf({ digits }: World, { open, high, low, close, total, count }: ReturnType<typeof sumUp>) {
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
