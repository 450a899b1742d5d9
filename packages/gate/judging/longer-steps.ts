import { thousands } from '@candleproof/law/reading/words';
import { oddsOfRun } from './detector.ts';
import type { Gap } from './gap-report.ts';
import { formatInterval, isCalendar } from './grid.ts';
import { countIntervals } from './inside-hole.ts';
import type { Ranges } from './ranges.ts';

/** The doubt about rows of a longer interval. */
export const stepDoubt = {
  ...{ id: 'gap/longer-step', kind: 'gap' as const },
  statement: 'No twelve rows in a row are equally far apart, and farther than the others.',
};

/** Gaps of one size, with one row between, that show rows of a longer interval. */
const fewestInRun = 12;

/** Finds rows in a row that are of a longer interval than the others. */
export class LongerSteps {
  readonly #length: number;
  readonly #found: Ranges;

  constructor(length: number, found: Ranges) {
    this.#length = length;
    this.#found = found;
  }

  /** Finds gaps of one size with one row between each and the next, more than the table's other rows let expect. */
  find(all: readonly Gap[], rows: number): Gap[][] {
    const gaps = all.toSorted((a, b) => a.first - b.first);
    const runs: Gap[][] = [];
    for (const gap of gaps) {
      const before = runs.at(-1)?.at(-1);
      const isNext = before && gap.first - before.last === 2 * this.#length && this.#isAlike(gap, before);
      if (isNext) runs.at(-1)?.push(gap);
      else runs.push([gap]);
    }
    const alike = runs.reduce((sum, run) => sum + run.length - 1, 0);
    const found = runs.filter(
      ({ length }) => length >= fewestInRun && oddsOfRun(rows, alike, length - 1) > 0,
    );
    return this.#joinRuns(found, new Map(gaps.map((gap, at) => [gap, at])));
  }

  /** Joins runs between which there is one closure. `places` are those of all gaps in time. */
  #joinRuns(runs: readonly Gap[][], places: ReadonlyMap<Gap, number>): Gap[][] {
    const joined: Gap[][] = [];
    for (const run of runs) {
      const before = joined.at(-1);
      const [first, last] = [run[0], before?.at(-1)].map((gap) => gap && places.get(gap)) as [number, number];
      const isNext =
        before !== undefined && first - last <= 2 && this.#isAlike(run[0] as Gap, before[0] as Gap);
      if (isNext) before.push(...run);
      else joined.push(run);
    }
    return joined;
  }

  /** Returns whether two gaps are of one size; months are. */
  #isAlike(one: Gap, other: Gap): boolean {
    const [a, b] = [one, other].map(({ first, last }) => last - first + 2 * this.#length) as [number, number];
    return a === b || (isCalendar(a) && isCalendar(b));
  }

  report(run: readonly Gap[]): void {
    const [{ first: from, line, last } = { first: 0, line: 0, last: 0 }] = run;
    const step = last - from + 2 * this.#length;
    const missing = run.reduce((sum, gap) => sum + countIntervals(gap, this.#length), 0);
    const [long, short] = [step, this.#length].map(formatInterval);
    this.#found.add({
      ...{ from, to: (run.at(-1)?.last ?? last) + this.#length, kind: 'gap', rows: missing },
      ...{ line: Math.min(line, run.at(-1)?.line ?? line), certainty: 'suspicion', rules: [] },
      ...{ doubt: stepDoubt.id, severity: 'grave' },
      detail: `${thousands(run.length + 1)} rows in a row are ${long} apart, and others ${short}: ${thousands(missing)} intervals have no row`,
    });
  }
}

/** Rows over which the usual volume is averaged, and the most times of it that a row adds: day rows may follow one another. */
const [averaged, mostAdded] = [64, 4];

/**
 * Times the usual volume from which a row is one of a longer interval, also as a share of the rows in whose place it stands,
 * and the fewest of these: a day has 24 times the volume of its usual hour, or 10 if its broker was closed for a part of it.
 */
const [fewestTimes, leastShare, fewestMissing] = [6, 0.25, 5];

/**
 * Tells a row that stands for those missing after it, such as a day among hours, by its volume: 55,161 before 23 missing hours
 * where an hour has 4,900.
 */
export class LongerRow {
  #usual = Number.NaN;

  /** Notes the volume of a row. */
  add(volume: number): void {
    if (!(volume > 0)) return;
    if (Number.isNaN(this.#usual)) this.#usual = volume;
    else this.#usual += (Math.min(volume, mostAdded * this.#usual) - this.#usual) / averaged;
  }

  /** Returns how many times the usual volume a row has that stands for the missing ones; undefined for another row. */
  measure(volume: number, missing: number): number | undefined {
    const times = volume / this.#usual;
    const fewest = Math.max(fewestTimes, leastShare * (missing + 1));
    return missing >= fewestMissing && times >= fewest ? Math.round(times) : undefined;
  }
}
