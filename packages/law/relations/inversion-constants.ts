import type { Candle } from '../reading/candle.ts';
import { maxBy, median } from '../reading/statistics.ts';
import { arithmetic, roundingShare } from '../reading/tolerances.ts';
import type { CandlePair, DirectionPair } from './direction-pairs.ts';
import { intervalLength } from './series.ts';

/** The bounds within which rounding leaves a pool's constant K, a price times its inverse. */
export type Constant = {
  readonly from: number;
  readonly to: number;
  /** The share by which rounding may have moved the products that it was learnt from. */
  readonly share: number;
};

/** Returns the bounds of products that rounding may have moved by this share: wider ones if that is more. */
export function widenTo({ from, to, share }: Constant, other: number): Constant {
  const more = Math.max(0, other - share);
  return { from: from * (1 - more), to: to * (1 + more), share: Math.max(share, other) };
}

/** Returns the share by which rounding on both sides may have moved a product. */
export function pricesReturned({ precision }: DirectionPair, plain: Candle, inverted: Candle): number {
  return roundingShare(plain.close, precision.plain) + roundingShare(inverted.close, precision.inverted);
}

/** Returns the most of it in any candle of a pair of answers. */
export function maxReturned(pair: DirectionPair): number {
  return Math.max(
    0,
    maxBy(pair.candles, ({ plain, inverted }) => pricesReturned(pair, plain, inverted) || 0),
  );
}

/** Returns whether both sides show the same four prices in each candle. */
export function hasSamePrices({ candles }: DirectionPair): boolean {
  return candles.length > 0 && candles.every(isSame);
}

function isSame({ plain, inverted }: CandlePair): boolean {
  return (
    plain.open === inverted.open &&
    plain.high === inverted.high &&
    plain.low === inverted.low &&
    plain.close === inverted.close
  );
}

/**
 * Returns whether an inverted answer is the plain one over again. Where prices move, a price times itself is no constant; a
 * single price may be its own inverse.
 */
export function isNotInverted(pair: DirectionPair): boolean {
  return hasSamePrices(pair) && moves(pair);
}

function moves({ candles }: DirectionPair): boolean {
  const least = -maxBy(candles, ({ plain }) => -Math.min(plain.open, plain.low, plain.close));
  const most = maxBy(candles, ({ plain }) => Math.max(plain.open, plain.high, plain.close));
  return most > least * (1 + arithmetic);
}

/**
 * The constant K of each pool: one for all of its intervals, latest candles and histories. "Inverts" leaves its value open: 1
 * for plain rates, a power of ten if both sides are scaled. Pools of which nothing shows it are left out.
 */
export function constants(all: readonly DirectionPair[]): Map<string, Constant> {
  const found = new Map<string, Constant>();
  for (const [pool, pairs] of Map.groupBy(all, (pair) => pair.pool)) {
    const constant = findConstant(pairs);
    if (constant) found.set(pool, constant);
  }
  return found;
}

/** A pool that is only seen at a price of 1 has the constant 1; another price beside itself shows nothing. */
function findConstant(pairs: readonly DirectionPair[]): Constant | undefined {
  const telling = listShown(pairs.filter((pair) => !hasSamePrices(pair)));
  if (telling.length > 0) return findBounds(chooseShown(telling));
  const [still] = listShown(pairs.filter((pair) => hasSamePrices(pair) && !moves(pair)));
  const bounds = still && findBounds(still);
  return bounds && bounds.from <= 1 && bounds.to >= 1 ? bounds : undefined;
}

/** One price of one interval as a witness of a pool's constant: the middle product, and how far rounding may have moved it. */
type Shown = { readonly middle: number; readonly share: number; readonly count: number };

function listShown(pairs: readonly DirectionPair[]): Shown[] {
  const cells = Map.groupBy(pairs, ({ plain }) => `${plain.requested.operation} ${intervalLength(plain)}`);
  return [...cells.values()].flatMap((cell) => {
    const share = maxBy(cell, maxReturned);
    return [listProducts(cell, multiplyOpens), listProducts(cell, multiplyCloses)].flatMap((products) =>
      products.length === 0 ? [] : [{ middle: median(products), share, count: products.length }],
    );
  });
}

const multiplyOpens = ({ plain, inverted }: CandlePair): number => plain.open * inverted.open;
const multiplyCloses = ({ plain, inverted }: CandlePair): number => plain.close * inverted.close;

/** Lists the products above zero. A plain loop: there may be hundreds of thousands. */
function listProducts(pairs: readonly DirectionPair[], multiply: (pair: CandlePair) => number): Float64Array {
  const products = new Float64Array(pairs.reduce((total, { candles }) => total + candles.length, 0));
  let count = 0;
  for (const { candles } of pairs) {
    for (let at = 0; at < candles.length; at++) {
      const product = multiply(candles[at] as CandlePair);
      if (product > 0 && product < Number.POSITIVE_INFINITY) products[count++] = product;
    }
  }
  return products.subarray(0, count);
}

function findBounds({ middle, share }: Shown): Constant {
  const width = 2 * (share + arithmetic);
  return { from: middle * (1 - width), to: middle * (1 + width), share };
}

/** Products of fewer digits than this share leaves hold a power of ten by chance too often to mean one. */
const fine = 1e-3;

/**
 * Chooses what the others are measured by: a power of ten, which no error makes, before any other constant; then what most
 * intervals agree on, so that one with many candles has no more say than another; then the finest.
 */
function chooseShown(all: readonly Shown[]): Shown {
  const ranked = all.map((shown) => {
    const bounds = findBounds(shown);
    const others = all.filter((other) => meet(bounds, findBounds(other))).length;
    return { shown, power: shown.share <= fine ? findPowerOfTen(bounds) : undefined, others };
  });
  ranked.sort(
    (a, b) =>
      Number(b.power !== undefined) - Number(a.power !== undefined) ||
      b.others - a.others ||
      a.shown.share - b.shown.share ||
      b.shown.count - a.shown.count,
  );
  const [{ shown, power = shown.middle }] = ranked as [(typeof ranked)[number]];
  return { ...shown, middle: power };
}

function meet(one: Constant, other: Constant): boolean {
  return one.from <= other.to && other.from <= one.to;
}

/** Returns the power of ten that rounding leaves possible, if there is one. */
export function findPowerOfTen(constant: Constant): number | undefined {
  const power = 10 ** Math.round(Math.log10(findMiddle(constant)));
  return constant.from <= power && power <= constant.to ? power : undefined;
}

/** Returns the middle of a constant's bounds. */
export function findMiddle({ from, to }: Constant): number {
  return (from + to) / 2;
}
