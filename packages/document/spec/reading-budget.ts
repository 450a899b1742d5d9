import { Misplaced } from './place.ts';

/**
 * The bounds on all that is made while one document is read: its files, their parts, its overlays, the results of their
 * expressions and every copy together. Known documents have at most 1,000 values.
 */
const bounds = {
  values: { most: 120_000, words: 'values' },
  characters: { most: 4 << 20, words: 'characters' },
  /** Each takes memory before there is a value. */
  tokens: { most: 300_000, words: 'pieces of syntax' },
  /** The nodes that expressions visit. */
  steps: { most: 2_000_000, words: 'nodes to search' },
} as const;

/** Only where the machine is far slower than the counts expect. */
const mostSeconds = 20;

/** Looking at the clock takes longer than most steps. */
const countsPerLook = 1000;

/** Counts what the reading of one document takes, for all of its readers. */
export class ReadingBudget {
  /** JSON pointer of what is being read, in its file. */
  place = '';
  readonly #taken = { values: 0, characters: 0, tokens: 0, steps: 0 };
  readonly #began = performance.now();
  #counts = 0;

  /** Throws Misplaced at the place that is being read once more than a bound is taken. */
  take(kind: keyof typeof bounds, count = 1): void {
    this.#taken[kind] += count;
    const { most, words } = bounds[kind];
    if (this.#taken[kind] > most)
      throw new Misplaced(
        this.place,
        `more than ${most} ${words} in the document with its parts, aliases and overlays: leave out what the market data do not need`,
      );
    if (++this.#counts % countsPerLook === 0 && performance.now() - this.#began > mostSeconds * 1000)
      throw new Misplaced(
        this.place,
        `reading takes more than ${mostSeconds} s: leave parts or overlays out`,
      );
  }
}
