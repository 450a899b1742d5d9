import { day, hour, minute, week } from '@candleproof/document/spec/interval';
import type { DrawnCandle } from '@candleproof/law/rules/breach';

/** One place on the time axis: a candle, with how many intervals are missing before it. */
type Slot = { readonly candle: DrawnCandle; readonly missingBefore: number };

/** Candles side by side on one scale; neighboring panels with the same scale object share their axis. */
export type Panel = {
  readonly slots: readonly Slot[];
  readonly scale: Scale;
  readonly label?: string | undefined;
};

/** Two candles whose prices are this many times apart cannot be read on one scale. */
const apart = 4;

/** Splits candles into a candle beside its parts, two price ranges beside each other, or one series. */
export function arrange(candles: readonly DrawnCandle[]): Panel[] {
  const sorted = candles.toSorted((a, b) => a.start - b.start);
  if (findWhole(sorted)) return arrangeSeries(sorted, chooseScale(sorted.flatMap(listPrices)));
  const step = findStep(sorted);
  const at = step ? sorted.indexOf(step.after) : 0;
  const sides = [sorted.slice(0, at), sorted.slice(at)];
  const isStep = step !== undefined && sides.every((side) => isAlike(side, leastStep));
  return (isStep ? sides : worlds(sorted)).map((world, index) => ({
    slots: toSlots(world),
    scale: chooseScale(world.flatMap(listPrices)),
    label: isStep ? (index === 0 ? 'before the step' : 'after it') : undefined,
  }));
}

/** Splits candles into one beside its parts, or one series, on a given scale. */
export function arrangeSeries(candles: readonly DrawnCandle[], scale: Scale): Panel[] {
  const sorted = candles.toSorted((a, b) => a.start - b.start);
  const whole = findWhole(sorted);
  if (!whole) return [{ slots: toSlots(sorted), scale }];
  const parts = sorted.filter((drawnCandle) => drawnCandle !== whole);
  return [
    { slots: toSlots([whole]), scale, label: 'whole' },
    { slots: toSlots(parts), scale, label: parts.length === 1 ? 'part' : 'parts' },
  ];
}

/** Two neighboring candles of a series whose prices do not join. */
export type PriceStep = { readonly before: DrawnCandle; readonly after: DrawnCandle };

/** Smallest factor between a close and the next open that counts as a step. */
const leastStep = 2;

/** Finds the largest step of a series; undefined for one that has none, and for candles of several series. */
export function findStep(candles: readonly DrawnCandle[]): PriceStep | undefined {
  const sorted = candles.toSorted((a, b) => a.start - b.start);
  if (findWhole(sorted) || new Set(sorted.map(({ start }) => start)).size < sorted.length) return undefined;
  const steps = sorted.slice(1).map((after, index) => {
    const before = sorted[index] ?? after;
    return { before, after, size: Math.abs(Math.log(after.open / before.close)) };
  });
  return steps.filter(({ size }) => size >= Math.log(leastStep)).toSorted((a, b) => b.size - a.size)[0];
}

/** Returns a price of a candle; NaN for an average that it lacks. */
export function readPrice(candle: DrawnCandle, field: 'open' | 'high' | 'low' | 'close' | 'avg'): number {
  return candle[field] ?? Number.NaN;
}

/** Returns the four prices of a candle. */
export function listPrices({ open, high, low, close }: DrawnCandle): number[] {
  return [open, high, low, close];
}

function findWhole(candles: readonly DrawnCandle[]): DrawnCandle | undefined {
  const [longest, next] = candles.toSorted((a, b) => candleLength(b) - candleLength(a));
  if (!longest || !next || candleLength(longest) < 2 * candleLength(next)) return undefined;
  return candles.every(({ start, end }) => start >= longest.start && end <= longest.end)
    ? longest
    : undefined;
}

function candleLength({ start, end }: DrawnCandle): number {
  return end - start;
}

/** Returns two groups if the prices form two clusters, such as a pair and its inverse; else one. */
function worlds(candles: readonly DrawnCandle[]): DrawnCandle[][] {
  const typical = candles.map(typicalPrice).filter((price) => price > 0);
  const [least, most] = [Math.min(...typical), Math.max(...typical)];
  if (!(most > apart * least)) return [[...candles]];
  const border = Math.sqrt(least) * Math.sqrt(most);
  const isLow = (candle: DrawnCandle): boolean => typicalPrice(candle) < border;
  const groups = [candles.filter(isLow), candles.filter((candle) => !isLow(candle))];
  if (!groups.every((group) => isAlike(group, apart))) return [[...candles]];
  return groups[0]?.includes(candles[0] as DrawnCandle) ? groups : groups.toReversed();
}

function isAlike(group: readonly DrawnCandle[], factor: number): boolean {
  const typical = group.map(typicalPrice);
  return Math.max(...typical) <= factor * Math.min(...typical);
}

function typicalPrice(candle: DrawnCandle): number {
  return median(listPrices(candle).filter(Number.isFinite)) ?? 0;
}

function toSlots(candles: readonly DrawnCandle[]): Slot[] {
  const length = mostCommonInterval(candles);
  return candles.map((candle, index) => {
    const before = candles[index - 1];
    const steps = before && length ? Math.round((candle.start - before.start) / length) : 1;
    return { candle, missingBefore: Math.max(0, steps - 1) };
  });
}

/** Returns the usual interval, in seconds, that most of the candles fill; an end stamp may fall a minute short. */
export function mostCommonInterval(candles: readonly DrawnCandle[]): number | undefined {
  const typical = median(candles.map(candleLength)) ?? 0;
  return typical > 0 ? usualLengths.find((usualLength) => typical <= usualLength) : undefined;
}

const usualLengths = [minute, 5 * minute, 15 * minute, 30 * minute, hour, 4 * hour, day, week];

/** The part of the price axis that is drawn; `low < high`, both finite. */
export type Scale = { readonly low: number; readonly high: number };

/** A price this many times farther from the median than the typical one would flatten all others to a line. */
const farthest = 8;

/** Prices within a quarter of the median are no outliers, however alike the others are. */
const nearShare = 0.25;
const margin = 0.06;

/** Chooses a scale that shows most of the prices; outliers are later marked at its edge. */
export function chooseScale(prices: readonly number[]): Scale {
  const finite = prices.filter(Number.isFinite);
  const middle = median(finite) ?? 0;
  const spread = median(finite.map((value) => Math.abs(value - middle))) ?? 0;
  const reach = Math.max(farthest * spread, nearShare * Math.abs(middle));
  const shown = finite.filter((value) => Math.abs(value - middle) <= reach);
  return widen(Math.min(middle, ...shown), Math.max(middle, ...shown));
}

/** Adds a little space on both sides, more if all prices are equal. */
function widen(low: number, high: number): Scale {
  const air = high > low ? margin * high - margin * low : Math.abs(low) * 0.01 || 1;
  return { low: bound(low - air), high: bound(high + air) };
}

function bound(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** Returns the middle value; undefined for an empty list. */
function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/**
 * Returns the place of a price: 0 at the bottom of the scale, 1 at its top; `off` for a price that was moved to the
 * edge. Compares halves, since the distance between two huge doubles may overflow.
 */
export function placeOn({ low, high }: Scale, price: number): { at: number; off: -1 | 0 | 1 } {
  if (price > high) return { at: 1, off: 1 };
  if (price < low) return { at: 0, off: -1 };
  const at = (price / 2 - low / 2) / (high / 2 - low / 2);
  return { at: Number.isFinite(at) ? at : 0.5, off: 0 };
}

/** Lists about `wanted` round prices on the scale, each with its label. */
export function priceTicks({ low, high }: Scale, wanted: number): { price: number; label: string }[] {
  const step = roundStep((high - low) / wanted);
  if (!Number.isFinite(step) || step === 0) return [];
  const first = Math.ceil(low / step);
  const count = Math.min(Math.floor(high / step) - first + 1, 2 * wanted);
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step).map((price) => ({
    price,
    label: tickLabel(price, step),
  }));
}

/** Rounds to 1, 2 or 5 times a power of ten. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((factor) => factor * power >= rough * 0.75) ?? 10;
  return factor * power;
}

function tickLabel(price: number, step: number): string {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const size = Math.abs(price);
  if (size >= 1e9 || decimals > 10) return price.toPrecision(5).replace(/\.?0+(?=e|$)/, '');
  return price.toFixed(decimals);
}
