import { day, hour, minute, week } from '../../contract/document/interval.ts';
import type { DrawnCandle } from '../../contract/law/breach.ts';
import { chooseScale, median, type Scale } from './scale.ts';

/** One place on the time axis: a candle, with how many intervals are missing before it. */
export type Slot = { readonly candle: DrawnCandle; readonly missingBefore: number };

/** Candles side by side on one scale; neighbouring panels of the same scale object share their axis. */
export type Panel = { readonly slots: readonly Slot[]; readonly scale: Scale; readonly label?: string };

/** Prices of two candles that are this many times apart cannot be read off one scale. */
const apart = 4;

/** A candle beside the parts that make it up, two worlds of price beside each other, or one series. */
export function arrange(candles: readonly DrawnCandle[]): Panel[] {
  const sorted = candles.toSorted((a, b) => a.start - b.start);
  const whole = findWhole(sorted);
  if (whole) {
    const parts = sorted.filter((drawnCandle) => drawnCandle !== whole);
    const scale = chooseScale(sorted.flatMap(listPrices));
    return [
      { slots: toSlots([whole]), scale, label: 'whole' },
      { slots: toSlots(parts), scale, label: parts.length === 1 ? 'part' : 'parts' },
    ];
  }
  const step = findStep(sorted);
  const at = step ? sorted.indexOf(step.after) : 0;
  const sides = [sorted.slice(0, at), sorted.slice(at)];
  const isStep = step !== undefined && sides.every((side) => isAlike(side, leastStep));
  return (isStep ? sides : worlds(sorted)).map((world, index) => ({
    slots: toSlots(world),
    scale: chooseScale(world.flatMap(listPrices)),
    ...(isStep && { label: index === 0 ? 'before the step' : 'after it' }),
  }));
}

/** Two neighboring candles of a series whose prices do not join. */
export type PriceStep = { readonly before: DrawnCandle; readonly after: DrawnCandle };

/** Factor between a close and the next open that is a step. */
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

/** Returns the four prices of a candle. */
export function listPrices({ open, high, low, close }: DrawnCandle): number[] {
  return [open, high, low, close];
}

/** The one candle that lasts longer than all others and holds them. */
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

/** Two groups where prices fall into two that are each alike, as a pair and its inverse do; else one. */
function worlds(candles: readonly DrawnCandle[]): DrawnCandle[][] {
  const typical = candles.map(typicalPrice).filter((price) => price > 0);
  const [least, most] = [Math.min(...typical), Math.max(...typical)];
  if (!(most > apart * least)) return [[...candles]];
  const border = Math.sqrt(least) * Math.sqrt(most);
  const isLow = (candle: DrawnCandle): boolean => typicalPrice(candle) < border;
  const groups = [candles.filter(isLow), candles.filter((candle) => !isLow(candle))];
  return groups.every((group) => isAlike(group, apart)) ? orderGroups(candles, groups) : [[...candles]];
}

function orderGroups(candles: readonly DrawnCandle[], groups: DrawnCandle[][]): DrawnCandle[][] {
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
  const length = usualInterval(candles);
  return candles.map((candle, index) => {
    const before = candles[index - 1];
    const steps = before && length ? Math.round((candle.start - before.start) / length) : 1;
    return { candle, missingBefore: Math.max(0, steps - 1) };
  });
}

/** Seconds of the usual interval that most of the candles fill; an end stamp may fall a minute short. */
export function usualInterval(candles: readonly DrawnCandle[]): number | undefined {
  const typical = median(candles.map(candleLength)) ?? 0;
  return typical > 0 ? usualLengths.find((usualLength) => typical <= usualLength) : undefined;
}

const usualLengths = [minute, 5 * minute, 15 * minute, 30 * minute, hour, 4 * hour, day, week];
