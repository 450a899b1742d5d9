import { thousands } from '../../contract/reading/thousands.ts';
import { breachesOfFamily, familyRules, type PlacedRow } from './family-law.ts';
import { nameOfInterval } from './interval.ts';
import type { TablePair } from './market.ts';
import type { RowMark } from './ranges.ts';

/** Two tables with what their rows say of each other. */
export type OpenPair = TablePair & { readonly rollUp: RollUp };

type Lengths = { readonly longer: number; readonly shorter: number };

/** Fewer families that agree in nothing may be broken; from here on they are of another market. */
const fewestStrangers = 3;

/** Marks that are kept of a pair. */
const mostMarks = 10_000;

/** Rows of one length, oldest of the file first, taken from the front. */
class Waiting {
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

/** The closed, sound rows of two tables of one market, the candles of the longer interval beside their parts. */
export class RollUp {
  families = 0;
  readonly broken = new Map<string, number>();
  readonly marks: RowMark[] = [];
  /** Marks that were not kept. */
  leftOut = 0;
  readonly #lengths: Lengths;
  readonly #direction: 1 | -1;
  readonly #longer = new Waiting();
  readonly #shorter = new Waiting();
  #reached = Number.NEGATIVE_INFINITY;
  #strangers = 0;
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

  /** No more candles will come: parts of none are not kept. */
  endLonger(): void {
    this.#isLongerOver = true;
  }

  /** No more parts will come. */
  endShorter(): void {
    this.#reached = Number.POSITIVE_INFINITY;
    this.#settle();
  }

  /** Every candle differs from its parts in everything: they are not of one market, and nothing is held against them. */
  isOfTwoMarkets(): boolean {
    return this.families >= fewestStrangers && this.#strangers === this.families;
  }

  /** Candles whose parts must all have come by now. */
  #settle(): void {
    for (let parent = this.#longer.first; parent && this.#isPast(parent); parent = this.#longer.first) {
      this.#compare(parent, this.#partsOf(parent));
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

  #partsOf(parent: PlacedRow): PlacedRow[] {
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
    const found = breachesOfFamily(parent, parts, this.#lengths);
    if (found.length === 0) return;
    if (familyRules.slice(0, 4).every((rule) => found.some((each) => each.rule === rule))) this.#strangers++;
    for (const { rule } of found) this.broken.set(rule, (this.broken.get(rule) ?? 0) + 1);
    const rules = found.map(({ rule }) => rule);
    const detail = `${found[0]?.detail}; ${thousands(parts.length)} parts`;
    const suspects = [longer, shorter].map(nameOfInterval);
    const [from, to] = [parent.start, parent.start + longer];
    if (this.marks.length === mostMarks) this.leftOut++;
    else
      this.marks.push({
        from,
        to,
        line: parent.line,
        kind: 'rollup',
        certainty: 'breach',
        rules,
        detail,
        suspects,
      });
  }
}
