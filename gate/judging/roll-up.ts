import { thousands } from '../../contract/reading/thousands.ts';
import type { GateCandle } from '../gated.ts';
import { formatInterval } from './grid.ts';
import { familyRules, findFamilyBreaches, type PlacedRow } from './law.ts';
import type { RowMark } from './ranges.ts';
import { toGateCandle } from './surroundings.ts';

/** Intervals in seconds. */
export type Lengths = { readonly longer: number; readonly shorter: number };

/** Number of disagreeing candles from which two tables are considered to be of different markets. */
export const fewestDisagreeing = 3;

/** Parts that one drawing can show. */
const mostDrawn = 60;

const mostMarks = 10_000;

/** A queue of rows in file order. */
class RowQueue {
  #rows: PlacedRow[] = [];
  #at = 0;

  add(row: PlacedRow): void {
    this.#rows.push(row);
  }

  get first(): PlacedRow | undefined {
    return this.#rows[this.#at];
  }

  drop(): void {
    this.#at++;
    if (this.#at < 4096) return;
    this.#rows = this.#rows.slice(this.#at);
    this.#at = 0;
  }
}

/** Compares the candles of a longer interval with their parts in a shorter one. Takes closed, sound rows. */
export class RollUp {
  families = 0;
  readonly broken = new Map<string, number>();
  readonly marks: RowMark[] = [];
  /** The first candle that disagrees, and its parts. */
  example: readonly GateCandle[] | undefined;
  /** Number of marks beyond the limit. */
  leftOut = 0;
  readonly #lengths: Lengths;
  readonly #direction: 1 | -1;
  readonly #longer = new RowQueue();
  readonly #shorter = new RowQueue();
  #reached = Number.NEGATIVE_INFINITY;
  #disagreeing = 0;
  #first: PlacedRow | undefined;
  #lastStart = Number.NaN;
  #isLongerOver = false;

  constructor(lengths: Lengths, direction: 1 | -1) {
    this.#lengths = lengths;
    this.#direction = direction;
  }

  addLonger(row: PlacedRow): void {
    this.#longer.add(row);
    this.#settle();
  }

  addShorter(row: PlacedRow): void {
    if (this.#isLongerOver && this.#longer.first === undefined) return;
    this.#shorter.add(row);
    this.#reached = row.start * this.#direction;
    this.#settle();
  }

  /** Ends the candles: parts without a candle are dropped from here on. */
  endLonger(): void {
    this.#isLongerOver = true;
  }

  endShorter(): void {
    this.#reached = Number.POSITIVE_INFINITY;
    this.#settle();
  }

  /** Returns whether every candle differs from its parts in all prices, so that the tables must be of different markets. */
  isTwoMarkets(): boolean {
    return this.families >= fewestDisagreeing && this.#disagreeing === this.families;
  }

  /** Share of the candles that have all values of their parts. */
  get agreeing(): number {
    return 1 - (this.marks.length + this.leftOut) / this.families;
  }

  /** Returns one mark for all candles that were moved by `seconds` for this comparison. */
  markShift(seconds: number, words: string): RowMark {
    const { longer, shorter } = this.#lengths;
    const starts = [(this.#first?.start ?? 0) - seconds, this.#lastStart - seconds];
    const [span, way] = [formatInterval(Math.abs(seconds)), seconds < 0 ? 'after' : 'before'];
    return {
      ...{ from: Math.min(...starts), to: Math.max(...starts) + longer, line: this.#first?.line ?? 1 },
      ...{ kind: 'rollup', certainty: 'breach', rules: familyRules.slice(0, 4), rows: this.families },
      detail: `every candle is ${span} ${way} its parts: ${words}`,
      suspects: [longer, shorter].map(formatInterval),
    };
  }

  /** Compares the candles whose parts have all been read. */
  #settle(): void {
    for (let parent = this.#longer.first; parent && this.#isPast(parent); parent = this.#longer.first) {
      this.#compare(parent, this.#takeParts(parent));
      this.#longer.drop();
    }
    if (this.#longer.first === undefined) return;
    this.#dropBefore(this.#longer.first);
  }

  #isPast({ start }: PlacedRow): boolean {
    const { longer, shorter } = this.#lengths;
    const last = this.#direction === 1 ? start + longer - shorter : -start;
    return this.#reached >= last;
  }

  #dropBefore(parent: PlacedRow): void {
    const { longer } = this.#lengths;
    const begin = this.#direction === 1 ? parent.start : -(parent.start + longer) + 1e-3;
    for (
      let part = this.#shorter.first;
      part && part.start * this.#direction < begin;
      part = this.#shorter.first
    )
      this.#shorter.drop();
  }

  #takeParts(parent: PlacedRow): PlacedRow[] {
    const { longer } = this.#lengths;
    this.#dropBefore(parent);
    const parts: PlacedRow[] = [];
    for (let part = this.#shorter.first; part; part = this.#shorter.first) {
      if (part.start < parent.start || part.start >= parent.start + longer) break;
      parts.push(part);
      this.#shorter.drop();
    }
    return this.#direction === 1 ? parts : parts.reverse();
  }

  #compare(parent: PlacedRow, parts: readonly PlacedRow[]): void {
    const { longer, shorter } = this.#lengths;
    if (parts.length !== longer / shorter || parts[0]?.start !== parent.start) return;
    this.families++;
    this.#first ??= parent;
    this.#lastStart = parent.start;
    const found = findFamilyBreaches(parent, parts, this.#lengths);
    if (found.length === 0) return;
    if (parts.length <= mostDrawn)
      this.example ??= [toGateCandle(parent, longer), ...parts.map((part) => toGateCandle(part, shorter))];
    if (familyRules.slice(0, 4).every((rule) => found.some((breach) => breach.rule === rule)))
      this.#disagreeing++;
    for (const { rule } of found) this.broken.set(rule, (this.broken.get(rule) ?? 0) + 1);
    const rules = found.map(({ rule }) => rule);
    const detail = `${found[0]?.detail}; ${thousands(parts.length)} parts`;
    const suspects = [longer, shorter].map(formatInterval);
    const { start, line } = parent;
    const place = { from: start, to: start + longer, line };
    if (this.marks.length === mostMarks) this.leftOut++;
    else this.marks.push({ ...place, kind: 'rollup', certainty: 'breach', rules, detail, suspects });
  }
}
