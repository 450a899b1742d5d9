import type { PlacedRow } from './law.ts';
import type { RowMark } from './ranges.ts';
import { type Lengths, minDisagreeing, RollUp } from './roll-up.ts';
import { SessionRollUp } from './session-roll-up.ts';

/** Words in file names that denote an interval. */
const intervalWords =
  /(^|[^a-z0-9])(\d{1,3} ?(s|sec|m|min|mins|minutes?|h|hr|hours?|d|days?|w|weeks?|mo|months?)|[mhdw]\d{1,3}|(minute|hour|dai|week|month)ly?|minute|hour|day|week|month)(?=$|[^a-z0-9])/gi;

export type PairedTable = { readonly file: string; readonly length: number; readonly direction: 1 | -1 };

/** The positions of two tables: candles of the longer interval consist of the shorter one's. */
export type TablePair = {
  readonly longer: number;
  readonly shorter: number;
  /** True if their names differ only in the interval. */
  readonly isNamedAlike: boolean;
};

/**
 * Pairs the tables of a market: all tables if their intervals are distinct; otherwise those whose names differ only in
 * the interval, if the intervals in such a group are distinct.
 */
export function findPairs(tables: readonly PairedTable[]): TablePair[] {
  const all = tables.map((table, at) => ({ ...table, at })).filter(({ length }) => length > 0);
  if (haveDistinctIntervals(all)) return pairNeighbors(all);
  const groups = [...Map.groupBy(all, ({ file }) => fileStem(file)).values()];
  return groups.filter(haveDistinctIntervals).flatMap(pairNeighbors);
}

type Placed = PairedTable & { readonly at: number };

function haveDistinctIntervals(tables: readonly Placed[]): boolean {
  return new Set(tables.map(({ length }) => length)).size === tables.length;
}

/** Pairs every interval with the longest shorter one that divides it. */
function pairNeighbors(tables: readonly Placed[]): TablePair[] {
  const sorted = tables.toSorted((a, b) => a.length - b.length);
  return sorted.flatMap((longer, at) => {
    const shorter = sorted
      .slice(0, at)
      .findLast((table) => longer.length % table.length === 0 && table.direction === longer.direction);
    if (shorter === undefined) return [];
    const isNamedAlike = fileStem(longer.file) === fileStem(shorter.file);
    return [{ longer: longer.at, shorter: shorter.at, isNamedAlike }];
  });
}

function fileStem(file: string): string {
  const name = file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
  return name
    .toLowerCase()
    .replace(intervalWords, ' ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** A roll-up with parts that lie some seconds after the longer candles. */
type Shift = { readonly seconds: number; readonly words: string; readonly rollUp: RollUp };

/** Number of candles after which those that agree as they are need no shift. */
const mostTried = 8;

/** Two tables while they are read: their roll-up, and roll-ups that assume that rows are labeled by their end. */
export class OpenPair {
  readonly pair: TablePair;
  readonly rollUp: RollUp;
  /** The comparison with sessions; undefined where the longer candles have all of their parts. */
  #session: SessionRollUp | undefined;
  #shifts: readonly Shift[];
  #longer: PlacedRow[] = [];
  #shorter: PlacedRow[] = [];
  readonly #lengths: Lengths;
  readonly #direction: 1 | -1;

  constructor(pair: TablePair, lengths: Lengths, direction: 1 | -1) {
    const { longer, shorter } = lengths;
    const shifts = [
      [-longer, 'the longer file labels its rows by their end'],
      [shorter, 'the shorter file labels its rows by their end'],
      [shorter - longer, 'both files label their rows by their end'],
    ] as const;
    this.pair = pair;
    this.rollUp = new RollUp(lengths);
    if (SessionRollUp.fits(lengths)) this.#session = new SessionRollUp(lengths);
    this.#shifts = shifts.map(([seconds, words]) => ({ seconds, words, rollUp: new RollUp(lengths) }));
    this.#lengths = lengths;
    this.#direction = direction;
  }

  addLonger(row: PlacedRow): void {
    this.#longer.push(row);
  }

  addShorter(row: PlacedRow): void {
    this.#shorter.push(row);
  }

  /** Compares the candles whose parts, shifted ones too, have been read. Forgets rows that no later candle needs. */
  settle(isLongerOver: boolean, isShorterOver: boolean): void {
    const { longer, shorter } = this.#lengths;
    const reached = this.#shorter.at(-1)?.start;
    const isPast = ({ start }: PlacedRow): boolean =>
      isShorterOver ||
      (reached !== undefined &&
        (this.#direction === 1 ? reached >= start + longer : reached <= start - longer));
    const open = this.#longer.findIndex((row) => !isPast(row));
    const past = this.#longer.splice(0, open < 0 ? this.#longer.length : open);
    if (past.length > 0) this.#compare(past);
    const last = this.#longer[0] ?? past.at(-1);
    if (isLongerOver && this.#longer.length === 0) this.#shorter = [];
    else if (last && past.length > 0) {
      const isNeeded = ({ start }: PlacedRow): boolean =>
        this.#direction === 1 ? start >= last.start - longer : start <= last.start + longer + shorter;
      this.#shorter = this.#shorter.filter(isNeeded);
    }
  }

  #compare(longer: readonly PlacedRow[]): void {
    const parts = this.#direction === 1 ? this.#shorter : this.#shorter.toReversed();
    for (const row of longer) {
      this.rollUp.compare(row, parts);
      if (this.rollUp.families >= mostTried) this.#session = undefined;
      this.#session?.compare(row, parts);
      if (this.rollUp.families >= mostTried && this.rollUp.agreeing > 0.5) this.#shifts = [];
      for (const { seconds, rollUp } of this.#shifts) rollUp.compare(row, parts, seconds);
    }
  }

  /** Ends the comparison with sessions. */
  end(): void {
    this.#session?.end();
  }

  /** The comparison that judges more candles: with all parts, or with those of their sessions. */
  get judged(): RollUp | SessionRollUp {
    const { families } = this.rollUp;
    return this.#session && this.#session.families > families ? this.#session : this.rollUp;
  }

  /** Returns the mark of candles that all agree with their parts once they are shifted; undefined if they do not. */
  findShift(): RowMark | undefined {
    if (this.rollUp.agreeing > 0.5) return undefined;
    const shift = this.#shifts.find(
      ({ rollUp }) => rollUp.families >= minDisagreeing && rollUp.agreeing > 0.9,
    );
    return shift?.rollUp.markShift(shift.seconds, shift.words);
  }
}

const dates = /(?<!\d)(19|20)\d\d([-_.]?(0[1-9]|1[0-2])([-_.]?[0-3]\d)?)?(?!\d)/g;

/** Files of one table: its name, and their positions in order. */
export type TableParts = { readonly name: string; readonly at: readonly number[] };

/** Groups files into tables: those whose names differ only in dates are one, in the order of the dates. */
export function groupParts(files: readonly string[]): TableParts[] {
  const all = files.map((file, at) => {
    const found = file.match(dates)?.join(' ') ?? '';
    return { file, at, dates: found, name: found === '' ? file : file.replaceAll(dates, '*') };
  });
  return [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, parts]) => {
    const isTable = new Set(parts.map((part) => part.dates)).size === parts.length && parts.length > 1;
    if (!isTable) return parts.map(({ file, at }) => ({ name: file, at: [at] }));
    const sorted = parts.toSorted((a, b) => (a.dates < b.dates ? -1 : 1));
    return [{ name, at: sorted.map(({ at }) => at) }];
  });
}
