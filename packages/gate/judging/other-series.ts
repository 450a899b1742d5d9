import { day, stamp } from '@candleproof/document/spec/interval';
import { thousands } from '@candleproof/law/reading/words';
import type { RowMark } from './ranges.ts';

/** The doubt about rows on both sides of a hole that are of different things. */
export const seriesDoubt = {
  ...{ id: 'table/other-series', kind: 'jump' as const },
  statement: 'Prices after a hole of two months are near those before it: one symbol is one thing.',
};

/**
 * Time without a row after which a symbol can have become that of another company, and the least factor of prices then:
 * 1.5 after two months, 2 after a year, 2.7 after two, since a market drifts with the root of the time.
 */
const [longest, leastFactor, factorOfYear, year] = [60 * day, 1.5, 2, 365 * day];

/** Returns whether rows of an interval are so far apart, in seconds. */
export function isLongBreak(apart: number, length: number): boolean {
  return apart > longest && apart > longestIntervals * length;
}

/** Intervals of months and years that are no break. */
const longestIntervals = 3;

/** Rows on one side of such a hole that are too few to show the habits of a market. */
const fewestRows = 20;

type Break = {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly detail: string;
  /** Rows before it in the file, and whether those after it there are later. */
  readonly rows: number;
  readonly isLater: boolean;
};

/** Finds long holes in a table across which prices are others. */
export class OtherSeries {
  readonly #length: number;
  readonly #breaks: Break[] = [];

  /** `length` is the interval in seconds. */
  constructor(length: number) {
    this.#length = length;
  }

  /** Takes the row after a gap, with the start and close of the one before it, of which there are so many. */
  add(
    { line, start, close }: { readonly line: number; readonly start: number; readonly close: number },
    {
      start: earlier,
      close: before,
      rows,
    }: { readonly start: number; readonly close: number; readonly rows: number },
  ): void {
    const apart = Math.abs(start - earlier);
    const factor = Math.max(close / before, before / close);
    const least = Math.max(leastFactor, factorOfYear ** Math.sqrt(apart / year));
    if (!(isLongBreak(apart, this.#length) && factor >= least && Number.isFinite(factor))) return;
    const detail = `close ${close} after ${before}, ${thousands(Math.round(apart / day))} days later: another series from ${stamp(start).slice(0, 10)} on, as of a company that took over the symbol`;
    const isLater = start > earlier;
    this.#breaks.push({
      ...{ from: Math.min(start, earlier), to: Math.max(start, earlier), line, detail, rows, isLater },
    });
  }

  /** Returns the marks of the breaks. */
  listMarks(): RowMark[] {
    const length = this.#length;
    return this.#breaks.map(({ to, line, detail }) => ({
      ...{ from: to, to: to + length, line, kind: 'jump', certainty: 'suspicion', rules: [], detail },
      ...{ doubt: seriesDoubt.id, severity: 'likely' },
    }));
  }

  /** Returns whether a gap is a break: no time of either series. */
  isBreak({ first, last }: { readonly first: number; readonly last: number }): boolean {
    return this.#breaks.some(({ from, to }) => first > from && last < to);
  }

  /** Returns whether a gap is a break, or lies among the few rows on one side of one, of a table of so many rows. */
  explains(gap: { readonly first: number; readonly last: number }, all: number): boolean {
    if (this.isBreak(gap)) return true;
    return this.#breaks.some(({ from, to, rows, isLater }) => {
      const isBefore = rows <= all - rows;
      const few = isBefore ? rows : all - rows;
      return few <= fewestRows && (isBefore === isLater ? gap.last < to : gap.first > from);
    });
  }
}
