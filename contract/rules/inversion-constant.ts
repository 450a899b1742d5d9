import type { Candle } from '../candle.ts';
import type { Evidence } from '../evidence.ts';
import { largest } from '../largest.ts';
import { type Precision, precisionOf, roundingShare } from '../precision.ts';
import type { CandleAnswer } from '../reading.ts';
import { isInverted, isSameSeries, joined, plainAndInverted, poolOf, snapshots } from '../series.ts';
import { arithmetic } from '../tolerances.ts';

/** A plain and an inverted answer of one series, and their candles of the same state of the market. */
export type Twins = {
  readonly plain: CandleAnswer;
  readonly inverted: CandleAnswer;
  readonly candles: readonly (readonly [plain: Candle, inverted: Candle])[];
  readonly pool: string;
  readonly precision: { readonly plain: Precision; readonly inverted: Precision };
};

/** Histories are joined on closed candles, latest candles within a snapshot. */
export function* twins({ histories, latest }: Evidence): Generator<Twins> {
  for (const [plain, inverted] of plainAndInverted(histories)) {
    yield makeTwins(plain, inverted, [...joined(plain, inverted)]);
  }
  for (const snapshot of snapshots(latest)) {
    for (const inverted of snapshot.filter(isInverted)) {
      const plain = snapshot.find((each) => isSameSeries(each, inverted) && !isInverted(each));
      const [one] = plain?.candles ?? [];
      const [other] = inverted.candles;
      if (plain && one && other) yield makeTwins(plain, inverted, [[one, other]]);
    }
  }
}

function makeTwins(plain: CandleAnswer, inverted: CandleAnswer, candles: [Candle, Candle][]): Twins {
  const precision = {
    plain: precisionOf(candles.flatMap(([each]) => pricesOf(each))),
    inverted: precisionOf(candles.flatMap(([, each]) => pricesOf(each))),
  };
  return { plain, inverted, candles, pool: poolOf(plain), precision };
}

function pricesOf({ open, high, low, close }: Candle): number[] {
  return [open, high, low, close].filter((each) => !Number.isNaN(each));
}

export type Range = { readonly from: number; readonly to: number };

/** What the rounding of both sides' numbers may have moved a product by, as a share of it. */
export function pricesTold({ precision }: Twins, plain: Candle, inverted: Candle): number {
  return roundingShare(plain.close, precision.plain) + roundingShare(inverted.close, precision.inverted);
}

/**
 * The constant K of each pool, as the range that the median of all products allows. "Inverts" leaves its value
 * open: 1 for plain rates, a power of ten where both sides are scaled.
 */
export function constants(evidence: Evidence): Map<string, Range> {
  const products = new Map<string, { product: number; share: number }[]>();
  for (const pair of twins(evidence)) {
    const known = products.get(pair.pool) ?? [];
    products.set(pair.pool, known);
    for (const [plain, inverted] of pair.candles) {
      const share = pricesTold(pair, plain, inverted) + arithmetic;
      for (const field of ['open', 'close'] as const) {
        const product = plain[field] * inverted[field];
        if (product > 0 && Number.isFinite(product)) known.push({ product, share });
      }
    }
  }
  return new Map([...products].flatMap(([pool, known]) => rangeOf(pool, known)));
}

function rangeOf(pool: string, products: { product: number; share: number }[]): [string, Range][] {
  const sorted = [...products].sort((a, b) => a.product - b.product);
  const middle = sorted[sorted.length >> 1];
  if (!middle) return [];
  const share = 2 * largest(products.map((each) => each.share));
  return [[pool, { from: middle.product * (1 - share), to: middle.product * (1 + share) }]];
}
