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

/** Rows that are measured together, and fewest measures that show what is usual. */
const [measured, fewest] = [16, 8];

/**
 * Measures from which one in eight blocks is enough: of the first month, all 2,700 of which a table of minutes keeps, as a time in
 * it is compared with those beside it; and of later rows, which only show what is usual.
 */
const enough = { later: 256, first: 8192 };

type Measure = { readonly from: number; readonly range: number; readonly volume: number };

/** A table as its end shows it: its beginning, the measures of its first month, and the usual ones later. */
type Summary = { readonly begin: number; readonly first: readonly Measure[]; readonly usual: Measure };

/**
 * Learns whether the first month of a table is that of its market, in which a trade may be far from all others: a market
 * that begins has no usual move yet. A table that begins within the life of its market has the usual ranges and volumes.
 */
export class YoungMarket {
  readonly #measures: Measure[] = [];
  #blocks = 0;
  /** Seconds around a time whose measures are those of the time. */
  #span = day;
  #summary: Summary | undefined;

  /** Measures the rows of a block. */
  measure({ columns, direction, length }: RowWindow, from: number, to: number): void {
    this.#span = Math.max(day, measured * length);
    const { start, high, low, volume } = columns;
    const age = (start[from] as number) - (this.#measures[0]?.from ?? Number.NaN);
    const most = direction === 1 && age <= youth ? enough.first : enough.later;
    if (this.#blocks++ % 8 !== 0 && this.#measures.length > most) return;
    for (let at = from; at + measured <= to; at += measured) {
      const ranges = high.slice(at, at + measured).map((top, row) => top / (low[at + row] as number) - 1);
      const volumes = volume.slice(at, at + measured).filter((each) => each >= 0);
      this.#measures.push({ from: start[at] as number, range: median(ranges), volume: median(volumes) });
    }
  }

  /** Returns, at the end of the table, whether a time lies in the first month of a market that was not yet as it is later. */
  isYoung(time: number): boolean {
    this.#summary ??= this.#sum();
    const { begin, first, usual } = this.#summary;
    if (!(time - begin <= youth)) return false;
    // All hours of a day count, since markets are livelier when they open.
    const near = first.filter(({ from }) => Math.abs(from - time) <= this.#span);
    const [volume, range] = (['volume', 'range'] as const).map((name) =>
      median(near.map((each) => each[name])),
    );
    const isThin = usual.volume > 0 && (volume as number) <= thin * usual.volume;
    return isThin || (usual.range > 0 && (range as number) >= wild * usual.range);
  }

  #sum(): Summary {
    const begin = this.#measures.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
    const isFirst = ({ from }: Measure): boolean => from - begin <= youth;
    const later = this.#measures.filter((each) => !isFirst(each));
    const known = later.length < fewest ? [] : later;
    const usual = (name: 'range' | 'volume'): number => median(known.map((each) => each[name]));
    return {
      ...{ begin, first: this.#measures.filter(isFirst) },
      usual: { from: begin, range: usual('range'), volume: usual('volume') },
    };
  }
}
