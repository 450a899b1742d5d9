import { stamp } from '../../contract/document/interval.ts';
import type { GateRange, RangeCertainty, RangeKind } from '../gated.ts';

/** One place as it was found. Unix seconds, the end not included. */
export type RowMark = {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly kind: RangeKind;
  readonly certainty: RangeCertainty;
  readonly rules: readonly string[];
  readonly detail: string;
  /** One where left out. */
  readonly rows?: number;
  readonly suspects?: readonly string[];
};

/** Ranges of each certainty that are kept of a file; all are counted. */
const mostKept = 10_000;

type Growing = RowMark & { to: number; from: number; rows: number };

/** The ranges of one file, as they are found: neighbours of one kind that break the same rules are one. */
export class Ranges {
  readonly counts: Record<RangeCertainty, number> = { breach: 0, suspicion: 0, observed: 0 };
  leftOut = 0;
  /** Rows that broke a rule, by its id. */
  readonly broken = new Map<string, number>();
  readonly #kept: Growing[] = [];
  readonly #newest = new Map<string, Growing>();

  add(mark: RowMark): void {
    const { rows = 1 } = mark;
    for (const rule of mark.rules) this.broken.set(rule, (this.broken.get(rule) ?? 0) + rows);
    const key = `${mark.kind} ${mark.certainty} ${mark.rules}`;
    const before = this.#newest.get(key);
    if (before && mark.kind !== 'gap' && mark.from <= before.to && mark.to >= before.from) {
      before.from = Math.min(before.from, mark.from);
      before.to = Math.max(before.to, mark.to);
      before.rows += rows;
      return;
    }
    const range = { ...mark, rows };
    this.#newest.set(key, range);
    this.counts[mark.certainty]++;
    if (this.counts[mark.certainty] > mostKept) this.leftOut++;
    else this.#kept.push(range);
  }

  /** In the order of time. */
  list(file: string, interval: string): GateRange[] {
    return this.#kept
      .toSorted((a, b) => a.from - b.from || a.to - b.to)
      .map(({ from, to, kind, certainty, rules, rows, line, detail, suspects }) => ({
        ...{ file, interval, from, to, fromIso: stamp(from), toIso: stamp(to) },
        ...{ kind, certainty, rules: rules.toSorted(), rows, line, detail },
        ...(suspects && { suspects }),
      }));
  }
}
