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

/** Judges rows by those around them. Sees every row once, in the order of the file. */
export type Detector = {
  /** Judges the rows at some positions of the window. */
  judge(from: number, to: number): void;
  /** Reports what only the whole table decides. */
  end(): void;
};

/** Opens a detector on the rows of a table. */
export type OpenDetector = (window: RowWindow, found: Ranges) => Detector;

/** Odds against a healthy market from which a suspicion is grave or slight. */
const [graveOdds, slightOdds] = [1e6, 1e4];

/** Ranks a suspicion by the odds against it in a healthy market. */
export function rankOdds(odds: number): DoubtSeverity {
  return odds >= graveOdds ? 'grave' : odds >= slightOdds ? 'likely' : 'slight';
}

/** The greatest expected number of runs in a healthy table from which a run is suspected. */
const mostExpected = 0.05;

/**
 * Returns the odds against a run in a healthy table, or 0 if it needs no reason: if `alike` of its rows continue the
 * row before, a run in which `continued` rows do so is expected a number of times.
 */
export function oddsOfRun(rows: number, alike: number, continued: number): number {
  const expected = rows * (alike / rows) ** continued;
  return expected < mostExpected ? 1 / Math.max(expected, Number.MIN_VALUE) : 0;
}

/** Maximum number of places that wait for the end of the table. */
export const mostHeld = 10_000;

export type HeldPlace = { from: number; to: number; line: number; lastLine: number; rows: number };

/** Places that only the end of the table decides about. */
export class HeldPlaces<Place extends HeldPlace = HeldPlace> {
  readonly all: Place[] = [];

  add(place: Place): void {
    if (this.all.length < mostHeld) this.all.push(place);
  }
}

/** Extends a place to the row after it. */
export function extendPlace(place: HeldPlace, window: RowWindow, at: number): void {
  const { from, to, lastLine } = findPlace(window, at, at);
  place.from = Math.min(place.from, from);
  place.to = Math.max(place.to, to);
  place.lastLine = lastLine;
  place.rows++;
}

/** Extends a place to the row after it, or begins one at `first` if there is none. */
export function growPlace(
  place: HeldPlace | undefined,
  window: RowWindow,
  first: number,
  at: number,
): HeldPlace {
  if (place === undefined) return findPlace(window, first, at);
  extendPlace(place, window, at);
  return place;
}

/** Returns the place of the rows from one position to another of the window, inclusive. */
export function findPlace({ columns, length }: RowWindow, first: number, last: number): HeldPlace {
  const [one, other] = [columns.start[first] as number, columns.start[last] as number];
  return {
    ...{ from: Math.min(one, other), to: Math.max(one, other) + length, rows: last - first + 1 },
    ...{ line: columns.line[first] as number, lastLine: columns.line[last] as number },
  };
}

/** Returns the mark of a suspicion. */
export function suspect(
  { id, kind, columns }: Doubt,
  { from, to, line, lastLine, rows }: HeldPlace,
  words: { readonly detail: string; readonly odds: number; readonly unusual?: number },
): RowMark {
  const { detail, odds, unusual } = words;
  return {
    ...{ from, to, line, lastLine, rows, kind, certainty: 'suspicion', rules: [], detail, doubt: id },
    ...{ severity: rankOdds(odds), columns },
    ...(unusual !== undefined && { unusual: Number(unusual.toPrecision(3)) }),
  };
}
