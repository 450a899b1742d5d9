import { thousands } from '@candleproof/law/reading/words';
import { sliceTiles } from '@candleproof/law/relations/families';
import { firstIndexFrom } from '@candleproof/law/relations/timeline';
import type { GateCandle } from '../gated.ts';
import { formatInterval } from './grid.ts';
import { familyRules, findFamilyBreaches, type PlacedRow } from './law.ts';
import type { RowMark } from './ranges.ts';
import { toGateCandle } from './surroundings.ts';

/** Intervals in seconds. */
export type Lengths = { readonly longer: number; readonly shorter: number };

/** Number of disagreeing candles from which two tables are considered to be of different markets. */
export const minDisagreeing = 3;

/** Parts that one drawing can show. */
const mostDrawn = 60;

const mostMarks = 10_000;

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
  #disagreeing = 0;
  #first: PlacedRow | undefined;
  #lastStart = Number.NaN;

  constructor(lengths: Lengths) {
    this.#lengths = lengths;
  }

  /** Returns whether every candle differs from its parts in all prices, so that the tables must be of different markets. */
  isTwoMarkets(): boolean {
    return this.families >= minDisagreeing && this.#disagreeing === this.families;
  }

  /** Share of the candles that have all values of their parts. */
  get agreeing(): number {
    return 1 - (this.marks.length + this.leftOut) / this.families;
  }

  /** Returns one mark for all candles, whose parts lie some seconds after them. */
  markShift(seconds: number, words: string): RowMark {
    const { longer, shorter } = this.#lengths;
    const starts = [this.#first?.start ?? 0, this.#lastStart];
    const [span, way] = [formatInterval(Math.abs(seconds)), seconds < 0 ? 'after' : 'before'];
    return {
      ...{ from: Math.min(...starts), to: Math.max(...starts) + longer, line: this.#first?.line ?? 1 },
      ...{ kind: 'rollup', certainty: 'breach', rules: familyRules.slice(0, 4), rows: this.families },
      detail: `every candle is ${span} ${way} its parts: ${words}`,
      suspects: [longer, shorter].map(formatInterval),
    };
  }

  /** Compares a candle with its parts among rows in order of time, `seconds` after it, if all of them are there. */
  compare(parent: PlacedRow, rows: readonly PlacedRow[], seconds = 0): void {
    const { longer, shorter } = this.#lengths;
    const start = parent.start + seconds;
    const parts = sliceTiles(rows, firstIndexFrom(rows, start), start, shorter, longer / shorter);
    if (parts.length === 0) return;
    this.families++;
    this.#first ??= parent;
    this.#lastStart = parent.start;
    const found = findFamilyBreaches(parent, parts, shorter);
    if (found.length === 0) return;
    if (parts.length <= mostDrawn)
      this.example ??= [toGateCandle(parent, longer), ...parts.map((part) => toGateCandle(part, shorter))];
    if (familyRules.slice(0, 4).every((rule) => found.some((breach) => breach.rule === rule)))
      this.#disagreeing++;
    for (const { rule } of found) this.broken.set(rule, (this.broken.get(rule) ?? 0) + 1);
    const rules = found.map(({ rule }) => rule);
    const isWithoutVolume =
      rules.includes('rollup/volume-is-summed') && parts.every(({ volume }) => Number(volume) === 0);
    const words = isWithoutVolume
      ? `none of its ${thousands(parts.length)} parts has a volume`
      : `${thousands(parts.length)} parts`;
    const detail = `${found[0]?.detail}; ${words}`;
    const suspects = [longer, shorter].map(formatInterval);
    const place = { from: parent.start, to: parent.start + longer, line: parent.line };
    if (this.marks.length === mostMarks) this.leftOut++;
    else this.marks.push({ ...place, kind: 'rollup', certainty: 'breach', rules, detail, suspects });
  }
}
