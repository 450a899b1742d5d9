import { stamp } from '@candleproof/document/spec/interval';
import { wordBeginning } from '../reading/words.ts';
import type { ComparedCandle } from './comparisons.ts';
import { minFittingShare } from './find-transformation.ts';

/** A candle of a pool. */
export type PlacedCandle = Pick<ComparedCandle, 'pool' | 'candle'>;

/** The rows of a part in which a transformation shows, and those in which it would and does not. */
export type OccasionRows = {
  readonly wrong: readonly PlacedCandle[];
  readonly sound: readonly PlacedCandle[];
};

/** The least share of the rows that are wrong for no occasion. */
const leastWrong = 0.2;

/**
 * Words what sets the wrong rows apart: a pool, a time of day, a weekday, a time since when; else their share; empty for all.
 * A few rows that nothing sets apart are no part: undefined.
 */
export function describeOccasion({ wrong, sound }: OccasionRows): string | undefined {
  const all = wrong.length + sound.length;
  if (wrong.length >= minFittingShare * all) return '';
  const starts = wrong.map(({ candle }) => candle.start);
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const words = [
    findShared({ wrong, sound }, ({ pool }) => `of pool ${pool.split(' ').at(-1)} alone`),
    findShared({ wrong, sound }, ({ candle }) => wordBeginning(candle.start).time),
    findShared({ wrong, sound }, ({ candle }) => wordBeginning(candle.start).weekday),
    sound.every(({ candle }) => candle.start < first) ? `from ${stamp(first)} on` : undefined,
    sound.every(({ candle }) => candle.start > last) ? `up to ${stamp(last)}` : undefined,
  ].find((text) => text !== undefined);
  if (words === undefined && wrong.length < leastWrong * all) return undefined;
  return words ?? `in ${wrong.length} of ${all} rows`;
}

/** Returns the words that all wrong rows have, and no sound one. */
function findShared(
  { wrong, sound }: OccasionRows,
  word: (compared: PlacedCandle) => string,
): string | undefined {
  const [words, ...others] = new Set(wrong.map(word));
  return others.length === 0 && !sound.some((compared) => word(compared) === words) ? words : undefined;
}
