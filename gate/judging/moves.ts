import { day } from '../../contract/document/interval.ts';
import { median } from '../../contract/reading/statistics.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import type { TableRow } from '../reading/table.ts';
import type { Ranges } from './ranges.ts';

/** Rows of a block. The usual is the median of three blocks: the row's and its two neighbors. */
const size = 64;

/**
 * Unusual factors: of a close far from both its neighbors against the usual move, of a high or low far from the closes
 * against the usual range, of a close that stays away against the usual move. In thirteen years of days of five shares
 * and five thousand hours of a currency, splits are jumps of 41 times the usual move, and news at most 28.
 */
const far = { spike: 20, wick: 10, jump: 30 };

/** Least suspected change, and least jump: news moves a currency by 30 times the usual, but by less than this. */
const [least, leastJump] = [0.01, 0.05];

/** A longer gap may hold a larger jump; nights, weekends and holidays move prices little. */
const longGap = 5 * day;

/** The usual move and range if no row moves. */
const unknown = { move: 0.03, range: 0.1 };

type Usual = { readonly move: number; readonly range: number };

/** Finds rows that leave the local volatility. Holds three blocks of rows. */
export class Moves {
  readonly #found: Ranges;
  readonly #length: number;
  readonly #rows = {
    ...{ start: new Float64Array(3 * size), line: new Float64Array(3 * size) },
    ...{
      high: new Float64Array(3 * size),
      low: new Float64Array(3 * size),
      close: new Float64Array(3 * size),
    },
  };
  readonly #changes = [new Float64Array(size), new Float64Array(size)] as const;
  #count = 0;
  #judged = 0;
  #isSpike = false;
  /** The usual move and range of each block. */
  #usual: Usual[] = [];

  /** `length` is the interval in seconds. */
  constructor(length: number, found: Ranges) {
    this.#length = length;
    this.#found = found;
  }

  take({ start, line, high, low, close }: TableRow): void {
    const rows = this.#rows;
    const at = this.#count++;
    rows.start[at] = start;
    rows.line[at] = line;
    rows.high[at] = high;
    rows.low[at] = low;
    rows.close[at] = close;
    if (this.#count % size === 0) this.#usual.push(this.#measure(this.#count - size, this.#count));
    if (this.#count < 3 * size) return;
    this.#judge(2 * size);
    for (const column of Object.values(rows)) column.copyWithin(0, size);
    this.#usual.shift();
    this.#count -= size;
    this.#judged -= size;
  }

  end(): void {
    const whole = this.#count - (this.#count % size);
    if (whole < this.#count) this.#usual.push(this.#measure(Math.max(0, this.#count - size), this.#count));
    this.#judge(this.#count);
  }

  #measure(from: number, to: number): Usual {
    const { high, low, close } = this.#rows;
    const [moves, ranges] = this.#changes;
    let [moved, ranged] = [0, 0];
    for (let at = from; at < to; at++) {
      const move = at === 0 ? 0 : change(close[at] as number, close[at - 1] as number);
      const range = (high[at] as number) / (low[at] as number) - 1;
      if (move > 0) moves[moved++] = move;
      if (range > 0) ranges[ranged++] = range;
    }
    return { move: median(moves.subarray(0, moved)), range: median(ranges.subarray(0, ranged)) };
  }

  #judge(to: number): void {
    const usual = this.#findUsual();
    for (; this.#judged < to; this.#judged++) {
      if (this.#isOrdinary(this.#judged)) this.#isSpike = false;
      else this.#judgeRow(this.#judged, usual);
    }
  }

  /** Returns, without a division, whether all prices of a row are near its close and the previous one. */
  #isOrdinary(at: number): boolean {
    const { high, low, close } = this.#rows;
    const price = close[at] as number;
    const before = at === 0 ? price : (close[at - 1] as number);
    const [top, bottom] = price > before ? [price, before] : [before, price];
    const near = 1 + least;
    return top < near * bottom && (high[at] as number) < near * top && bottom < near * (low[at] as number);
  }

  #findUsual(): Usual {
    const middle = (name: keyof Usual): number => {
      const known = this.#usual.map((usual) => usual[name]).filter((size) => size > 0);
      return known.length > 0 ? median(known) : unknown[name];
    };
    return { move: middle('move'), range: middle('range') };
  }

  #judgeRow(at: number, usual: Usual): void {
    const { close } = this.#rows;
    const price = close[at] as number;
    const before = at === 0 ? price : (close[at - 1] as number);
    const after = at + 1 < this.#count ? (close[at + 1] as number) : price;
    const [back, ahead] = [change(price, before), change(price, after)];
    const isBetween = price > before !== price > after || price === after;
    const spike = isBetween ? 0 : countTimes(Math.min(back, ahead), usual.move);
    const wasSpike = this.#isSpike;
    this.#isSpike = spike > far.spike;
    if (this.#isSpike) {
      const detail = `close ${price} between ${before} before and ${after} after`;
      this.#suspect(at, 'spike', detail, spike);
    } else if (!this.#hasWick(at, before, usual) && back > leastJump && !wasSpike)
      this.#judgeJump(at, back, usual);
  }

  /** Suspects a high or a low that is far from its row's close and the previous one. */
  #hasWick(at: number, before: number, usual: Usual): boolean {
    const [high, low, close] = [this.#rows.high[at], this.#rows.low[at], this.#rows.close[at]] as [
      number,
      number,
      number,
    ];
    const up = high / Math.max(close, before) - 1;
    const down = Math.min(close, before) / low - 1;
    const wick = countTimes(Math.max(up, down), usual.range);
    if (wick <= far.wick) return false;
    const place = up > down ? `high ${high} above` : `low ${low} below`;
    this.#suspect(at, 'spike', `${place} the closes ${before} and ${close}`, wick);
    return true;
  }

  /** Suspects a close that is far from the one before; after missing rows it may be farther. */
  #judgeJump(at: number, move: number, usual: Usual): void {
    const { start, close } = this.#rows;
    const gaps =
      Math.abs((start[at] as number) - (start[at - 1] as number)) / Math.max(longGap, this.#length);
    const times = countTimes(move, usual.move) / Math.sqrt(Math.max(1, gaps));
    if (times <= far.jump) return;
    const isAscending = (start[at] as number) > (start[at - 1] as number);
    const [later, earlier] = isAscending ? [at, at - 1] : [at - 1, at];
    this.#suspect(later, 'jump', `close ${close[later]} after ${close[earlier]}`, times);
  }

  #suspect(at: number, kind: 'spike' | 'jump', detail: string, times: number): void {
    const from = this.#rows.start[at] as number;
    const unusual = Number(times.toPrecision(3));
    this.#found.add({
      ...{ from, to: from + this.#length, line: this.#rows.line[at] as number, kind, certainty: 'suspicion' },
      ...{ rules: [], detail: `${detail}: ${thousands(Math.round(times))} times the usual change`, unusual },
    });
  }
}

/** Returns by how much the larger of two prices exceeds the smaller, as a share of it. */
function change(one: number, other: number): number {
  return one > other ? one / other - 1 : other / one - 1;
}

/** Returns how many times the usual a change is, by logarithms; 0 for one that is too small to report. */
function countTimes(changed: number, usual: number): number {
  return changed < least ? 0 : Math.log1p(changed) / usual;
}
