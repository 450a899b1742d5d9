import { thousands } from '@candleproof/law/reading/words';
import type { PlacedRow } from './judging/law.ts';

const fields = ['open', 'high', 'low', 'close'] as const;
type Field = (typeof fields)[number];
type Side = 0 | 1;

/** Share of the rows that differ which a pattern must explain. */
const nearlyAll = 0.9;

/** Share by which the ratios of the closes of rows may differ that are one factor. */
const sameFactor = 0.01;

/** Learns in which way the rows of two tables differ. */
export class DifferencePattern {
  /** Number of rows that differ, or that one table lacks. */
  rows = 0;
  readonly #missing: [number, number] = [0, 0];
  /** Rows that one side lacks since both had a row, which may be those after its end; undefined before the first. */
  #since: [number, number] | undefined;
  /** Rows of one price in one table alone, and the prices of the other that it is. */
  readonly #frozen: [number, number] = [0, 0];
  readonly #frozenAt = new Map<string, number>();
  /** Rows by the fields that differ. */
  readonly #differing = new Map<string, number>();
  #factor = Number.NaN;
  #ofFactor = 0;

  /** Counts a row that one side lacks, if both tables have rows before and after it. */
  addMissing(side: Side): void {
    if (this.#since) this.#since[side]++;
  }

  /** Notes that both tables have a row. */
  meet(): void {
    const [one, other] = this.#since ?? [0, 0];
    this.rows += one + other;
    this.#missing[0] += one;
    this.#missing[1] += other;
    this.#since = [0, 0];
  }

  add(one: PlacedRow, other: PlacedRow, isEqual: (mine: number, theirs: number) => boolean): void {
    this.rows++;
    const isOne = one.high === one.low;
    if (isOne !== (other.high === other.low)) {
      const side: Side = isOne ? 0 : 1;
      this.#frozen[side]++;
      for (const field of ['open', 'close'] as const)
        if (isEqual(isOne ? one.close : one[field], isOne ? other[field] : other.close))
          countOne(this.#frozenAt, `${side} ${field}`);
    }
    const unequal = fields.filter((field) => !isEqual(one[field], other[field]));
    countOne(this.#differing, unequal.join(' '));
    const ratio = one.close / other.close;
    if (Number.isNaN(this.#factor)) this.#factor = ratio;
    const isOfFactor = (field: Field): boolean =>
      Math.abs(one[field] / other[field] / this.#factor - 1) <= sameFactor;
    if (fields.every(isOfFactor)) this.#ofFactor++;
  }

  /** Describes the pattern of nearly all rows that differ; undefined for none. */
  describe(files: readonly [string, string]): string | undefined {
    const least = nearlyAll * this.rows;
    if (this.rows < 2) return undefined;
    const names = files.map((file) => file.replace(/^.*[\\/]/, ''));
    for (const side of [0, 1] as const) {
      const [mine = '', theirs = ''] = side === 0 ? names : names.toReversed();
      if (this.#missing[side] >= least) return `${mine} lacks ${thousands(this.#missing[side])} of them`;
      const rows = `${thousands(this.#frozen[side])} rows of ${mine} are frozen at one price each`;
      const at = (['open', 'close'] as const).find(
        (field) => (this.#frozenAt.get(`${side} ${field}`) ?? 0) >= nearlyAll * this.#frozen[side],
      );
      if (this.#frozen[side] >= least) return at === undefined ? rows : `${rows}, the ${at} of ${theirs}`;
    }
    if (this.#ofFactor >= least && Math.abs(this.#factor - 1) > sameFactor)
      return `prices of ${names[0]} are ${Number(this.#factor.toPrecision(4))} times those of ${names[1]}`;
    const [same] = [...this.#differing].filter(([, rows]) => rows >= least);
    const other = same?.[0].split(' ') ?? fields;
    if (other.length === fields.length) return undefined;
    return `only ${other.join(' and ')} ${other.length === 1 ? 'differs' : 'differ'}`;
  }
}

function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
