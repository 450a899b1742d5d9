import type { Candle } from '../reading/candle.ts';
import type { CandleAnswer } from '../reading/reading.ts';
import { isClosed } from '../relations/series.ts';

/** Separates the possibilities that an answer leaves open; a baseline sees no change if one of them is shared. */
export const alternative = '; or ';

/** A class of sizes with its upper bound; the last class has none. */
export type Band = { readonly upTo: number; readonly name: string };

/** Share around a bound within which a size counts for both classes, so that small variations are no change. */
const blur = 0.25;

/** Names the class of a size, or both classes close to a bound; the size itself would differ in every run. */
export function nameBand(size: number, bands: readonly Band[]): string {
  const fitting = bands.filter(
    ({ upTo }, at) =>
      size <= upTo * (1 + blur) && size > (bands[at - 1]?.upTo ?? Number.NEGATIVE_INFINITY) * (1 - blur),
  );
  return fitting.map(({ name }) => name).join(alternative);
}

/** Names a ratio of two rates: equal within a twentieth, or the nearest power of ten. */
export function rateName(ratio: number): string | undefined {
  if (!(ratio > 0 && Number.isFinite(ratio))) return undefined;
  if (Math.abs(ratio - 1) <= 0.05) return 'one rate';
  const power = Math.round(Math.log10(ratio));
  return power === 0 ? 'another rate of the same size' : `a rate about 10^${power} times as high`;
}

/** Joins all observed values in sorted order; undefined for none. */
export function joinValues(seen: Iterable<string>): string | undefined {
  const names = [...new Set(seen)].sort();
  return names.length > 0 ? names.join(' and ') : undefined;
}

/**
 * Joins an answer from parts: every name once, with all values observed for it. A baseline compares part by part, so that a
 * run with fewer parts changes nothing.
 */
export function joinParts(seen: Iterable<readonly [name: string, reported: string]>): string | undefined {
  const parts = new Map<string, Set<string>>();
  for (const [name, text] of seen) parts.set(name, (parts.get(name) ?? new Set()).add(text));
  const texts = [...parts].map(([name, text]) => `${name} ${[...text].sort().join(' or ')}`);
  return texts.length > 0 ? texts.sort().join(', ') : undefined;
}

/** Candles of one answer that suffice for a question, so that a long history costs no more than a short one. */
const enough = 300;

/** Returns the newest candles, sorted by time. */
export function listNewest({ inTime }: CandleAnswer, most = enough): readonly Candle[] {
  return inTime.length > most ? inTime.slice(-most) : inTime;
}

/** Returns the newest closed candles, sorted by time. */
export function newestClosed(answer: CandleAnswer): readonly Candle[] {
  return listNewest(answer).filter((candle) => isClosed(candle, answer));
}
