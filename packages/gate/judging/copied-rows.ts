import { day, stamp } from '@candleproof/document/spec/interval';
import { maxListed, type Ranges } from './ranges.ts';
import type { RowWindow } from './row-window.ts';

export const copyRule = 'history/no-row-is-copied';

type RowPlace = { readonly start: number; readonly line: number };

/**
 * Reports rows that repeat the one before. Nothing in two equal rows shows which is the copy, but days wait for the end of the
 * table: if the market rests on one of the two, that is the day that was filled, with the next row as well as with the last.
 */
export class CopiedRows {
  readonly #window: RowWindow;
  readonly #found: Ranges;
  readonly #held: (readonly [before: RowPlace, row: RowPlace])[] = [];

  constructor(window: RowWindow, found: Ranges) {
    this.#window = window;
    this.#found = found;
  }

  /** Takes a row, by its position in the window, that equals the one before. */
  add(at: number): void {
    const { start, line } = this.#window.columns;
    const [before, row] = [at - 1, at].map((position) => ({
      start: start[position] as number,
      line: line[position] as number,
    })) as [RowPlace, RowPlace];
    const isHeld = this.#window.length === day && this.#held.length < maxListed;
    if (isHeld) this.#held.push([before, row]);
    else this.#report(row, before, false);
  }

  end(): void {
    const { isRestDay } = this.#window;
    for (const [before, row] of this.#held) {
      const [wasRest, isRest] = [isRestDay(before.start), isRestDay(row.start)];
      if (wasRest && !isRest) this.#report(before, row, true);
      else this.#report(row, before, isRest && !wasRest);
    }
  }

  #report({ start, line }: RowPlace, other: RowPlace, isOfRest: boolean): void {
    const { length } = this.#window;
    const date = stamp(other.start).slice(0, length === day ? 10 : 16);
    const side = other.line < line ? 'before' : 'after';
    const words = isOfRest ? 'the market rests on this day' : 'one of the two is a copy';
    this.#found.add({
      ...{ from: start, to: start + length, line, kind: 'copy', certainty: 'breach', rules: [copyRule] },
      detail: `prices and volume of its own were expected, those of the row ${side}, ${date}, are there: ${words}`,
    });
  }
}
