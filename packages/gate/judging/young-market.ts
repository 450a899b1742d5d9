import { day } from '@candleproof/document/spec/interval';
import { median } from '@candleproof/law/reading/statistics';
import type { RowWindow } from './row-window.ts';

/** Seconds in which a venue or a coin that begins with a table is young: its first month. */
const youth = 30 * day;

/**
 * Share of the usual volume up to which rows of the first month are those of a young market, and multiple of the usual range
 * from which they are: 20 coins an hour before years of 3,000, or ranges of 12 % before those of 1.5 %.
 */
const [thin, wild] = [0.1, 4];

/** Rows that are measured together; measures from which one in eight blocks is enough, and fewest that show what is usual. */
const [measured, enough, fewest] = [16, 256, 8];

type Measure = { readonly from: number; readonly range: number; readonly volume: number };

/**
 * Learns whether the first month of a table is that of its market, in which a trade may be far from all others: a market
 * that begins has no usual move yet. A table that begins within the life of its market has the usual ranges and volumes.
 */
export class YoungMarket {
  readonly #measures: Measure[] = [];
  #blocks = 0;

  /** Measures the rows of a block. */
  measure({ columns, direction }: RowWindow, from: number, to: number): void {
    const { start, high, low, volume } = columns;
    const first = start[from] as number;
    const isEarly = direction === 1 && first - (this.#measures[0]?.from ?? first) <= youth;
    if (this.#blocks++ % 8 !== 0 && this.#measures.length > enough && !isEarly) return;
    for (let at = from; at + measured <= to; at += measured) {
      const ranges = high.slice(at, at + measured).map((top, row) => top / (low[at + row] as number) - 1);
      const volumes = volume.slice(at, at + measured).filter((each) => each >= 0);
      this.#measures.push({ from: start[at] as number, range: median(ranges), volume: median(volumes) });
    }
  }

  /** Returns whether a time lies in the first month of a market that was not yet as it is later. */
  isYoung(time: number): boolean {
    const begin = Math.min(...this.#measures.map(({ from }) => from));
    const later = this.#measures.filter(({ from }) => from > Math.min(begin + youth, time));
    if (!(time - begin <= youth) || later.length < fewest) return false;
    const apart = ({ from }: Measure): number => Math.abs(from - time);
    const near = this.#measures.reduce((one, other) => (apart(other) < apart(one) ? other : one));
    const usual = (name: 'range' | 'volume'): number => median(later.map((each) => each[name]));
    const [volume, range] = [usual('volume'), usual('range')];
    return (volume > 0 && near.volume <= thin * volume) || (range > 0 && near.range >= wild * range);
  }
}
