import { day } from '../../contract/document/interval.ts';
import { median } from '../../contract/reading/statistics.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { type Detector, type Doubt, findPlace, suspect } from './detector.ts';
import type { Ranges } from './ranges.ts';
import { isPowerOfTen, nameRatio } from './ratio.ts';
import { blockSize, type RowWindow } from './row-window.ts';

/**
 * Unusual factors: of a close far from both its neighbors against the usual move, of a high or low far from the closes
 * against the usual range, of a close that stays away against the usual move. In thirteen years of days of five shares
 * and five thousand hours of a currency, splits are jumps of 41 times the usual move, and news at most 28.
 */
const far = { spike: 20, wick: 10, jump: 30, tenfold: 24 };

/** Least suspected change, and least jump: news moves a currency by 30 times the usual, but by less than this. */
const [least, leastJump] = [0.01, 0.05];

/**
 * A longer gap may hold a larger jump: nights, weekends and holidays move the price of a day little, but that of an hour
 * or minute as the hours of a day do.
 */
const longGap = 5 * day;

/** Change, to 8 times the price, that is never usual: wrong rows do not set what is. */
const great = 7;

/** The usual move and range if no row moves. */
const unknown = { move: 0.03, range: 0.1 };

type Usual = { readonly move: number; readonly range: number };

/** The doubts about rows that leave the local volatility. */
export const moveDoubts = {
  spike: {
    ...{ id: 'price/spike', kind: 'spike' },
    statement: 'A close, high or low lies near its neighbors, compared with the usual move and range.',
  },
  jump: {
    ...{ id: 'price/jump', kind: 'jump' },
    statement:
      'A close lies near the one before: within 30 usual moves, or 24 if it is ten, a hundred … times as high or low.',
  },
} as const satisfies Record<string, Doubt>;

/** Finds rows that leave the local volatility: the usual is the median of a row's block and its two neighbors. */
export class Moves implements Detector {
  readonly #window: RowWindow;
  readonly #found: Ranges;
  readonly #changes = [new Float64Array(blockSize), new Float64Array(blockSize)] as const;
  #isSpike = false;
  /** The usual move and range of each block in the window. */
  #usual: Usual[] = [];
  #measured = 0;

  constructor(window: RowWindow, found: Ranges) {
    this.#window = window;
    this.#found = found;
  }

  judge(from: number, to: number): void {
    this.#measureBlocks();
    const usual = this.#findUsual();
    for (let at = from; at < to; at++) {
      if (this.#isOrdinary(at)) this.#isSpike = false;
      else this.#judgeRow(at, usual);
    }
  }

  end(): void {}

  /** Measures the blocks that are new in the window, and at the end of the table the last rows. */
  #measureBlocks(): void {
    const { rows, count } = this.#window;
    const first = rows - count;
    for (; this.#measured < rows; this.#measured += blockSize) {
      const end = Math.min(rows, this.#measured + blockSize) - first;
      this.#usual.push(this.#measure(Math.max(0, end - blockSize), end));
    }
    while (this.#usual.length > 3) this.#usual.shift();
  }

  #measure(from: number, to: number): Usual {
    const { high, low, close } = this.#window.columns;
    const [moves, ranges] = this.#changes;
    let [moved, ranged] = [0, 0];
    // Every second row of a whole block shows what is usual.
    const step = to - from < blockSize ? 1 : 2;
    for (let at = from; at < to; at += step) {
      const move = at === 0 ? 0 : change(close[at] as number, close[at - 1] as number);
      const range = (high[at] as number) / (low[at] as number) - 1;
      if (move > 0) moves[moved++] = move;
      if (range > 0) ranges[ranged++] = range;
    }
    return {
      move: findUsualChange(moves.subarray(0, moved)),
      range: findUsualChange(ranges.subarray(0, ranged)),
    };
  }

  /** Returns, without a division, whether all prices of a row are near its close and the previous one. */
  #isOrdinary(at: number): boolean {
    const { high, low, close } = this.#window.columns;
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
    const { close } = this.#window.columns;
    const price = close[at] as number;
    const before = at === 0 ? price : (close[at - 1] as number);
    const after = at + 1 < this.#window.count ? (close[at + 1] as number) : price;
    const [back, ahead] = [change(price, before), change(price, after)];
    const isBetween = price > before !== price > after || price === after;
    const away = isBetween ? 0 : Math.min(back, ahead);
    const spike = countTimes(away, usual.move);
    const wasSpike = this.#isSpike;
    this.#isSpike = spike > far.spike;
    if (this.#isSpike) {
      const detail = `close ${price} between ${before} before and ${after} after`;
      this.#suspect(at, moveDoubts.spike, detail, spike);
    } else if (!this.#hasWick(at, before, usual) && back > leastJump && !wasSpike)
      this.#judgeJump(at, back, usual);
  }

  /** Suspects a high or a low that is far from its row's close and the previous one. */
  #hasWick(at: number, before: number, usual: Usual): boolean {
    const { columns } = this.#window;
    const [high, low, close] = [columns.high[at], columns.low[at], columns.close[at]] as [
      number,
      number,
      number,
    ];
    const up = high / Math.max(close, before) - 1;
    const down = Math.min(close, before) / low - 1;
    const wick = countTimes(Math.max(up, down), usual.range);
    if (wick <= far.wick) return false;
    const place = up > down ? `high ${high} above` : `low ${low} below`;
    this.#suspect(at, moveDoubts.spike, `${place} the closes ${before} and ${close}`, wick);
    return true;
  }

  /** Suspects a close that is far from the one before; after missing rows it may be farther. */
  #judgeJump(at: number, move: number, usual: Usual): void {
    const { length, direction } = this.#window;
    const { start, close } = this.#window.columns;
    const step = Math.abs((start[at] as number) - (start[at - 1] as number));
    const rests = length < day ? Math.min(step, day) / length : 0;
    const gaps = Math.max(1, step / Math.max(longGap, length), rests);
    const times = countTimes(move, usual.move) / Math.sqrt(gaps);
    const [later, earlier] = direction === 1 ? [at, at - 1] : [at - 1, at];
    const [after, before] = [close[later] as number, close[earlier] as number];
    const isTenfold = isPowerOfTen(before, after, usual.move);
    if (times <= (isTenfold ? far.tenfold : far.jump)) return;
    const words = nameRatio(before, after, usual.move);
    this.#suspect(later, moveDoubts.jump, `close ${after} after ${before}: ${words}`, times);
  }

  #suspect(at: number, doubt: Doubt, words: string, times: number): void {
    const detail = `${words}: ${thousands(Math.round(times))} times the usual change`;
    const place = findPlace(this.#window, at, at);
    this.#found.add(suspect(doubt, place, { detail, odds: oddsOfTimes(times), unusual: times }));
  }
}

/** Returns the median change; that of the smaller ones if most are those of wrong rows. */
function findUsualChange(changes: Float64Array): number {
  const middle = median(changes);
  return middle < great ? middle : median(changes.filter((change) => change < great));
}

/** Returns the odds against a change of so many medians in fat tails: those of Student's t with four degrees of freedom. */
function oddsOfTimes(times: number): number {
  const deviations = 0.741 * times;
  return deviations ** 4 / 12;
}

/** Returns by how much the larger of two prices exceeds the smaller, as a share of it. */
function change(one: number, other: number): number {
  return one > other ? one / other - 1 : other / one - 1;
}

/** Returns how many times the usual a change is, by logarithms; 0 for one that is too small to report. */
function countTimes(changed: number, usual: number): number {
  return changed < least ? 0 : Math.log1p(changed) / usual;
}
