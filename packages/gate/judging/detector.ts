import type { DoubtSeverity, RangeKind } from '../gated.ts';
import type { Ranges, RowMark } from './ranges.ts';
import type { RowWindow } from './row-window.ts';

/** A reason to doubt rows. */
export type Doubt = {
  /** `volume/repeated`: a name that stays. */
  readonly id: string;
  readonly kind: RangeKind;
  /** States that which holds in sound tables. */
  readonly statement: string;
  /** The columns whose values are doubted; all of the row if omitted. */
  readonly columns?: readonly string[];
};

/**
 * The words of a suspicion; it needs no mention if the odds against it are 0. Odds are those against it in the table, or
 * in each row of it. They count up to `graveOdds` where a market has other reasons than chance.
 */
export type Words = {
  readonly detail: string;
  readonly odds: number;
  readonly unusual?: number;
  readonly isOfRow?: boolean;
};

/** Judges rows by those around them. Sees every row once, in the order of the file. */
export abstract class Detector {
  protected readonly window: RowWindow;
  protected readonly found: Ranges;

  constructor(window: RowWindow, found: Ranges) {
    this.window = window;
    this.found = found;
  }

  /** Judges the rows at some positions of the window. */
  abstract judge(from: number, to: number): void;

  /** Reports what only the whole table decides. */
  abstract end(): void;

  /** Reports a suspicion, unless nothing is against the rows. */
  protected suspect(doubt: Doubt, place: HeldPlace, words: Words): void {
    if (words.odds > 0) this.found.add(toMark(doubt, place, words, this.window.rows));
  }
}

/** A detector that can be opened on the rows of a table, and all that it suspects. */
export type DetectorKind = {
  readonly doubts: readonly Doubt[];
  new (window: RowWindow, found: Ranges): Detector;
};

/** Odds against a healthy market from which a suspicion is grave or slight. */
export const [graveOdds, slightOdds] = [1e6, 1e4];

/** Odds against a suspicion in a healthy table from which it is beyond chance, and tests that may each raise one. */
const [beyondChance, tests] = [1e6, 20];

/** Ranks a suspicion by the odds against it in a healthy market. */
function rankOdds(odds: number): DoubtSeverity {
  return odds >= graveOdds ? 'grave' : odds >= slightOdds ? 'likely' : 'slight';
}

/**
 * Number of runs as long that are expected in a healthy table, below which one is suspected: where one row in ten repeats the row
 * before, 1,000 rows have 0.1 runs of four repeats and 0.01 of five.
 */
const mostExpected = 0.05;

/**
 * Returns the odds against a run in a healthy table, or 0 if it needs no reason: if `alike` of its rows continue the
 * row before, a run in which `continued` rows do so is expected a number of times.
 */
export function oddsOfRun(rows: number, alike: number, continued: number): number {
  const expected = rows * (alike / rows) ** continued;
  return expected < mostExpected ? 1 / Math.max(expected, Number.MIN_VALUE) : 0;
}

/** Returns whether places come so often, in rows of which each `habit` may have one, that they are the market's way. */
export function isHabit(places: number, rows: number, habit: number): boolean {
  return places > Math.max(2, rows / habit);
}

/** Maximum number of places that wait for the end of the table. */
const mostHeld = 10_000;

export type HeldPlace = {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly lastLine: number;
  readonly rows: number;
};

/** Places that only the end of the table decides about. */
export class HeldPlaces<Place extends HeldPlace = HeldPlace> {
  readonly all: Place[] = [];

  /** Keeps a place; returns false if there are too many. */
  add(place: Place): boolean {
    return this.all.length < mostHeld && this.all.push(place) > 0;
  }
}

/** Returns the place of the rows from one position to another of the window, inclusive. */
export function findPlace(window: RowWindow, first: number, last = first): HeldPlace {
  const { start, line } = window.columns;
  const from = { start: start[first] as number, line: line[first] as number };
  return findPlaceFrom(from, window, last, last - first + 1);
}

/** Returns the place of rows whose first may have left the window. */
export function findPlaceFrom(
  { start, line }: { readonly start: number; readonly line: number },
  { columns, length }: RowWindow,
  last: number,
  rows: number,
): HeldPlace {
  const other = columns.start[last] as number;
  const [from, to] = [Math.min(start, other), Math.max(start, other) + length];
  return { from, to, line, lastLine: columns.line[last] as number, rows };
}

/** Returns the place of all rows of a table, at its end. */
export function findWhole(window: RowWindow): HeldPlace {
  return findPlaceFrom(window.first, window, window.count - 1, window.rows);
}

/** Returns the mark of a suspicion in a table of so many rows. */
export function toMark({ id, kind, columns }: Doubt, place: HeldPlace, words: Words, rows: number): RowMark {
  const { detail, odds, unusual, isOfRow = false } = words;
  const isBeyondChance = odds / (tests * (isOfRow ? rows : 1)) > beyondChance;
  return {
    ...{ ...place, kind, certainty: 'suspicion', rules: [], detail, doubt: id },
    ...{ severity: rankOdds(odds), columns, ...(isBeyondChance && { isBeyondChance }) },
    ...(unusual !== undefined && { unusual: Number(unusual.toPrecision(3)) }),
  };
}
