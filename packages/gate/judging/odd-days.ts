import { day } from '@candleproof/document/spec/interval';
import type { RatedHole } from './inside-hole.ts';
import type { Ranges } from './ranges.ts';

/** The doubt about a row on a weekday that no other row of a table has. */
export const oddDayDoubt = {
  ...{ id: 'table/odd-day', kind: 'misplaced' as const },
  statement: 'No row lies on a weekday of its own while a day beside it has none.',
};

/** Fewest rows of a table of days in which a weekday with a single row is odd. */
const fewestRows = 60;

/** Share of the rows from which a weekday is a day of trade: with 60 rows, six Fridays. */
const usualShare = 0.1;

/** Days by which a date may be wrong. */
const nearest = 3;

const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

type DayRow = { count: number; readonly start: number; readonly line: number };
type Gap = { readonly first: number; readonly last: number; readonly line: number };

/** Finds rows of a table of days that are dated on a weekday on which no other row lies. */
export class OddDays {
  readonly #weekdays: (DayRow | undefined)[] = Array(7);
  #rows = 0;

  add(line: number, start: number): void {
    this.#rows++;
    const weekday = findWeekday(start);
    const known = this.#weekdays[weekday];
    if (known) known.count++;
    else this.#weekdays[weekday] = { count: 1, start, line };
  }

  /** True if rows lie on five days of the week and fewer. */
  get isOfWeekdays(): boolean {
    return this.#rows > 0 && this.#weekdays.filter(Boolean).length <= 5;
  }

  /** Returns whether hardly a row lies on the weekday of a start, as a weekend that was filled once. */
  isRest(start: number): boolean {
    const count = this.#weekdays[findWeekday(start)]?.count ?? 0;
    return this.#rows >= fewestRows && count < usualShare * this.#rows;
  }

  /**
   * Reports each row on a weekday of its own: as suspected if a day of trade beside it lacks its row, else as observed.
   * Returns the gaps of those days as suspected.
   */
  report(
    gaps: readonly Gap[],
    found: Ranges,
    isHoliday: (date: number) => boolean,
  ): { readonly gap: Gap; readonly hole: RatedHole }[] {
    if (this.#rows < fewestRows) return [];
    return this.#weekdays.flatMap((row, weekday) => {
      if (row?.count !== 1) return [];
      const lost = this.#findLost(row, gaps, isHoliday);
      const words = `the only row on a ${names[weekday]}`;
      const detail = lost ? `${words}, and ${names[findWeekday(lost.day)]} beside it has none` : words;
      found.add({
        ...{ from: row.start, to: row.start + day, line: row.line, kind: 'misplaced', rules: [], detail },
        ...(lost
          ? ({ certainty: 'suspicion', doubt: oddDayDoubt.id, severity: 'likely' } as const)
          : ({ certainty: 'observed' } as const)),
      });
      const hole = lost && { first: lost.day, last: lost.day, rows: 1, isCertain: false };
      return lost && hole ? [{ gap: lost.gap, hole }] : [];
    });
  }

  /** Finds the nearest day without a row on which this market is usually open. */
  #findLost(
    { start }: DayRow,
    gaps: readonly Gap[],
    isHoliday: (date: number) => boolean,
  ): { gap: Gap; day: number } | undefined {
    for (let apart = 1; apart <= nearest; apart++)
      for (const time of [start - apart * day, start + apart * day]) {
        const gap = gaps.find(({ first, last }) => time >= first && time <= last);
        const usual = this.#weekdays[findWeekday(time)]?.count ?? 0;
        const isOpen = usual >= usualShare * this.#rows && !isHoliday(Math.floor(time / day));
        if (gap && isOpen) return { gap, day: time };
      }
    return undefined;
  }
}

function findWeekday(start: number): number {
  return new Date(start * 1000).getUTCDay();
}
