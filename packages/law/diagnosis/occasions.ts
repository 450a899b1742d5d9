import { day, stamp } from '@candleproof/document/spec/interval';
import type { ComparedCandle } from './comparisons.ts';
import { leastFitting } from './transformations.ts';

/** The rows of a part in which a transformation shows, and those in which it would and does not. */
export type OccasionRows = {
  readonly wrong: readonly ComparedCandle[];
  readonly sound: readonly ComparedCandle[];
};

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The least share of the rows that are wrong for no occasion. */
const leastWrong = 0.2;

/**
 * Words what sets the wrong rows apart: a pool, a time of day, a weekday, a time since when; else their share; empty for all.
 * A few rows that nothing sets apart are no part: undefined.
 */
export function describeOccasion({ wrong, sound }: OccasionRows): string | undefined {
  const all = wrong.length + sound.length;
  if (wrong.length >= leastFitting * all) return '';
  const starts = wrong.map(({ candle }) => candle.start);
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const words = [
    describeShared(
      { wrong, sound },
      ({ pool }) => pool,
      (pool) => `of pool ${pool.split(' ').at(-1)} alone`,
    ),
    describeShared({ wrong, sound }, readTime, (time) => `each at ${time} UTC`),
    describeShared({ wrong, sound }, readWeekday, (weekday) => `each on a ${weekday}`),
    sound.every(({ candle }) => candle.start < first) ? `from ${stamp(first)} on` : undefined,
    sound.every(({ candle }) => candle.start > last) ? `up to ${stamp(last)}` : undefined,
  ].find((text) => text !== undefined);
  if (words === undefined && wrong.length < leastWrong * all) return undefined;
  return words ?? `in ${wrong.length} of ${all} rows`;
}

function describeShared(
  { wrong, sound }: OccasionRows,
  read: (compared: ComparedCandle) => string,
  word: (value: string) => string,
): string | undefined {
  const [value = '', ...others] = new Set(wrong.map(read));
  return others.length === 0 && !sound.some((compared) => read(compared) === value) ? word(value) : undefined;
}

function readTime({ candle }: ComparedCandle): string {
  return new Date(candle.start * 1000).toISOString().slice(11, 16);
}

function readWeekday({ candle: { start } }: ComparedCandle): string {
  return weekdays[new Date(start * 1000).getUTCDay()] ?? String(start % day);
}
