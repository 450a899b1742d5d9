import { hour, stamp } from '@candleproof/document/spec/interval';
import { median } from '@candleproof/law/reading/statistics';
import { arithmetic } from '@candleproof/law/reading/tolerances';
import { DifferencePattern } from './difference-pattern.ts';
import type { SameMarket } from './gated.ts';
import type { PlacedRow } from './judging/law.ts';

/** Rows of both tables from which the shift and the units are determined, and fewest that must match. */
const [firstRows, fewestMatches] = [1000, 8];

/** Hours by which the times of two zones may differ. */
const mostHours = 14;

/** A shift is taken if this many more closes agree than without one. */
const clearlyMore = 0.2;

/** Share by which the units of two tables may differ from a power of ten; else they are compared as they are. */
const nearUnit = 0.02;

/** Usual differences from which a row differs, as two sources of one market never agree in all digits. */
const far = 20;

/** Ranges that are listed. */
const maxListed = 1000;

type Side = 0 | 1;
type Span = { from: number; to: number; rows: number; detail: string; only?: Side };

/** Aligns two tables of one market while they are read, and lists where they differ. */
export class SameComparison {
  readonly #length: number;
  readonly #rows: readonly [Map<number, PlacedRow>, Map<number, PlacedRow>] = [new Map(), new Map()];
  readonly #spans: Span[] = [];
  readonly #pattern = new DifferencePattern();
  #shift = 0;
  #unit = 1;
  #usual = Number.NaN;
  #compared = 0;
  #left = 0;
  #isAligned = false;

  /** `length` is the interval of both, in seconds. */
  constructor(length: number) {
    this.#length = length;
  }

  add(side: Side, row: PlacedRow): void {
    this.#rows[side].set(row.start, row);
  }

  /** Compares the rows that both tables have reached; `reached` are starts. */
  settle(reached: readonly [number, number], isOver: boolean): void {
    const [one, other] = this.#rows;
    if (!this.#isAligned) this.#passBefore();
    if (!this.#isAligned && !isOver && Math.min(one.size, other.size) < firstRows) return;
    if (!this.#isAligned) this.#align();
    const end = isOver ? Number.POSITIVE_INFINITY : Math.min(reached[0], reached[1] - this.#shift);
    const starts = [...one.keys(), ...[...other.keys()].map((start) => start - this.#shift)];
    for (const start of [...new Set(starts)].filter((start) => start < end).sort((a, b) => a - b)) {
      this.#compare(start, one.get(start), other.get(start + this.#shift));
      one.delete(start);
      other.delete(start + this.#shift);
    }
  }

  result(
    files: readonly [string, string],
    isDoubted: (side: Side, from: number, to: number) => boolean,
  ): SameMarket {
    const pattern = this.#pattern.describe(files);
    return {
      ...(pattern !== undefined && { pattern }),
      differing: this.#pattern.rows,
      ...{ files, shift: this.#shift, unit: this.#unit, compared: this.#compared, leftOut: this.#left },
      isAligned: this.#compared >= fewestMatches,
      differences: this.#spans.map(({ from, to, rows, detail }) => {
        const doubted = ([0, 1] as const).filter((side) => {
          const later = side === 0 ? 0 : this.#shift;
          return isDoubted(side, from + later, to + later);
        });
        return {
          ...{ fromIso: stamp(from), toIso: stamp(to), rows, detail },
          doubted: doubted.map((side) => files[side]),
        };
      }),
    };
  }

  /** Notes the rows of one table before the other begins. */
  #passBefore(): void {
    const begins = this.#rows.map((rows) => rows.keys().next().value ?? Number.NEGATIVE_INFINITY);
    const begin = Math.max(...begins) - (mostHours + 1) * hour - this.#length;
    for (const [side, rows] of this.#rows.entries())
      for (const start of rows.keys()) {
        if (start >= begin || Math.min(...begins) === Number.NEGATIVE_INFINITY) break;
        this.#note(start, `rows of the ${side === 0 ? 'first' : 'second'} only`, side === 0 ? 0 : 1);
        rows.delete(start);
      }
  }

  /** Finds the shift with which most closes agree, and the unit of the second table. */
  #align(): void {
    this.#isAligned = true;
    const hours = Array.from({ length: 2 * mostHours + 1 }, (_, at) => (at - mostHours) * hour);
    const shifts = [0, this.#length, -this.#length, ...hours.filter((shift) => shift % this.#length === 0)];
    const tried = [...new Set(shifts)].map((shift) => this.#try(shift));
    const [plain] = tried;
    const [best] = tried.toSorted((a, b) => b.share - a.share);
    const chosen = best && plain && best.share > plain.share + clearlyMore ? best : plain;
    if (chosen === undefined) return;
    this.#shift = chosen.shift;
    const power = 10 ** Math.round(Math.log10(chosen.ratio));
    this.#unit = Math.abs(chosen.ratio / power - 1) <= nearUnit ? power : 1;
    this.#usual = chosen.usual;
  }

  /** Compares closes under a shift: their usual ratio and difference, and the share that differs by a 50th of a move. */
  #try(shift: number): { shift: number; share: number; ratio: number; usual: number } {
    const [one, other] = this.#rows;
    const pairs = [...one.values()].flatMap((row) => {
      const match = other.get(row.start + shift);
      return match ? [[row, match] as const] : [];
    });
    if (pairs.length < fewestMatches) return { shift, share: 0, ratio: 1, usual: Number.NaN };
    const ratio = median(pairs.map(([row, match]) => row.close / match.close));
    const apart = pairs.map(([row, match]) => Math.abs(row.close / match.close / ratio - 1));
    const moves = pairs.map(([row]) => Math.abs(row.close / row.open - 1)).filter((move) => move > 0);
    const near = Math.max(arithmetic, median(moves) / 4 || 0);
    const share = apart.filter((difference) => difference <= near).length / apart.length;
    return { shift, share, ratio, usual: median(apart) };
  }

  #compare(start: number, one: PlacedRow | undefined, other: PlacedRow | undefined): void {
    if (one === undefined || other === undefined) {
      const only: Side = one === undefined ? 1 : 0;
      this.#note(start, `rows of the ${only === 0 ? 'first' : 'second'} only`, only);
      return;
    }
    this.#compared++;
    this.#pattern.meet();
    const slack = Math.max(1e-6, far * (this.#usual || 0));
    const isEqual = (mine: number, theirs: number): boolean =>
      Math.abs(mine / (theirs * this.#unit) - 1) <= slack;
    for (const field of ['open', 'high', 'low', 'close'] as const) {
      if (isEqual(one[field], other[field])) continue;
      this.#pattern.add(one, other, isEqual);
      this.#note(start, `${field} ${one[field]} and ${other[field]}`);
      return;
    }
  }

  #note(start: number, detail: string, only?: Side): void {
    if (only !== undefined) this.#pattern.addMissing(only === 0 ? 1 : 0);
    const last = this.#spans.at(-1);
    if (last && last.only === only && start === last.to) {
      last.to += this.#length;
      last.rows++;
    } else if (this.#spans.length < maxListed)
      this.#spans.push({
        from: start,
        to: start + this.#length,
        rows: 1,
        detail,
        ...(only !== undefined && { only }),
      });
    else this.#left++;
  }
}
