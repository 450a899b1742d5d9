import { isTellingVolume } from '../../contract/law/history/steps.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { emptyRow, type TableRow } from '../reading/table.ts';
import { Moves } from './moves.ts';
import type { Ranges, RowMark } from './ranges.ts';

export const copyRule = 'history/no-row-is-copied';

/** Minimum number of consecutive rows for a standstill. */
const fewestFlat = 12;

/** Maximum number of standstills that are weighed. */
const mostLong = 10_000;

/** Lengths of standstills that are counted separately; longer ones count as the longest. */
const mostCounted = 4096;

/** Finds copies, standstills and unusual moves in consecutive rows. Holds the last rows and the standstills so far. */
export class Observer {
  readonly #found: Ranges;
  readonly #length: number;
  readonly #moves: Moves;
  readonly #before = emptyRow();
  readonly #still = { from: 0, to: 0, line: 0, rows: 0 };
  /** Number of standstills by their rows; a row that moves counts as one of length 1. */
  readonly #stills = new Uint32Array(mostCounted + 1);
  readonly #long: (RowMark & { rows: number })[] = [];

  constructor(length: number, found: Ranges) {
    this.#length = length;
    this.#found = found;
    this.#moves = new Moves(length, found);
  }

  take(row: TableRow): void {
    const before = this.#before;
    const isSame = isAlike(before, row);
    const isCopy = isSame && before.high !== before.low && before.volume === row.volume && this.#addCopy(row);
    if (isSame && !isCopy) this.#lengthen(row);
    else this.#endStill(row);
    this.#moves.take(row);
    before.open = row.open;
    before.high = row.high;
    before.low = row.low;
    before.close = row.close;
    before.volume = row.volume;
  }

  end(): void {
    this.#endStill(emptyRow());
    this.#moves.end();
    const usual = this.#commonStillness();
    for (const mark of this.#long) {
      if (mark.rows < fewestFlat * usual) continue;
      const unusual = Math.round(mark.rows / usual);
      const detail = `${mark.detail}: ${thousands(unusual)} times the usual number`;
      this.#found.add({ ...mark, detail, unusual });
    }
  }

  /** Returns the median number of rows that repeat one price. */
  #commonStillness(): number {
    let rest = this.#stills.reduce((sum, count) => sum + count, 0) / 2;
    const median = this.#stills.findIndex((count) => {
      rest -= count;
      return rest <= 0;
    });
    return Math.max(1, median);
  }

  /** Reports a copy; returns false if the volume has too few digits to tell. */
  #addCopy(row: TableRow): boolean {
    if (!isTellingVolume(row.volumeText || String(row.volume))) return false;
    this.#found.add({
      ...{ from: row.start, to: row.start + this.#length, line: row.line, kind: 'copy', certainty: 'breach' },
      rules: [copyRule],
      detail: 'prices and volume of its own were expected, those of the row before are there',
    });
    return true;
  }

  #lengthen({ start }: TableRow): void {
    const still = this.#still;
    still.from = Math.min(still.from, start);
    still.to = Math.max(still.to, start);
    still.rows++;
  }

  /** Ends a standstill with a row that moves, which may begin the next. */
  #endStill({ start, line }: TableRow): void {
    const still = this.#still;
    const { from, to, rows } = still;
    if (rows > 0) {
      const counted = Math.min(rows, mostCounted);
      this.#stills[counted] = (this.#stills[counted] as number) + 1;
    }
    if (rows >= fewestFlat && this.#long.length < mostLong)
      this.#long.push({
        ...{ from, to: to + this.#length, line: still.line, rows, kind: 'flat', certainty: 'suspicion' },
        rules: [],
        detail: `the price of ${this.#before.close} does not move in ${thousands(rows)} rows`,
      });
    still.from = start;
    still.to = start;
    still.line = line;
    still.rows = 1;
  }
}

function isAlike(one: TableRow, other: TableRow): boolean {
  return (
    one.open === other.open && one.high === other.high && one.low === other.low && one.close === other.close
  );
}
