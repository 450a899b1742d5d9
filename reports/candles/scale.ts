/** The part of the price axis that is drawn; `low < high`, both finite. */
export type Scale = { readonly low: number; readonly high: number };

/** A price's place: 0 at the foot of the scale, 1 at its head; `off` for a price that was moved to the edge. */
export type PricePlace = { readonly at: number; readonly off: -1 | 0 | 1 };

/** A price this many times farther from the median than the typical one would squash all others to a line. */
const farthest = 8;

/** However alike the prices are, what lies within a quarter of the median is no outlier. */
const nearShare = 0.25;

const margin = 0.06;

/** A scale that shows the bulk of the prices; single ones far outside are left to be marked at its edge. */
export function chooseScale(prices: readonly number[]): Scale {
  const finite = prices.filter(Number.isFinite);
  const middle = median(finite) ?? 0;
  const spread = median(finite.map((value) => Math.abs(value - middle))) ?? 0;
  const reach = Math.max(farthest * spread, nearShare * Math.abs(middle));
  const shown = finite.filter((value) => Math.abs(value - middle) <= reach);
  return widen(Math.min(middle, ...shown), Math.max(middle, ...shown));
}

/** A little air on both sides, more where all prices are one. */
function widen(low: number, high: number): Scale {
  const air = high > low ? margin * high - margin * low : Math.abs(low) * 0.01 || 1;
  return { low: bound(low - air), high: bound(high + air) };
}

function bound(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** Returns the middle value; undefined for an empty list. */
export function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Halves are compared, since the distance between two huge doubles may be none. */
export function placeOn({ low, high }: Scale, price: number): PricePlace {
  if (price > high) return { at: 1, off: 1 };
  if (price < low) return { at: 0, off: -1 };
  const at = (price / 2 - low / 2) / (high / 2 - low / 2);
  return { at: Number.isFinite(at) ? at : 0.5, off: 0 };
}

/** Round prices on the scale, about `wanted` of them, with the text of each. */
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

/** 1, 2 or 5 times a power of ten. */
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
