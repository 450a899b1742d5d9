import { day } from '@candleproof/document/spec/interval';
import { median } from '@candleproof/law/reading/statistics';
import { thousands } from '@candleproof/law/reading/words';
import {
  Detector,
  type Doubt,
  findPlace,
  graveOdds,
  type HeldPlace,
  HeldPlaces,
  type Words,
} from './detector.ts';
import { isOfDisorder } from './disorder-days.ts';
import { isLongBreak } from './other-series.ts';
import { isRound, namePower, nameRatio } from './ratio.ts';
import { blockSize } from './row-window.ts';
import { isRush, isThin, isTraded, nearRows } from './traded-rows.ts';
import { isWickNews } from './wick-news.ts';
import { WickTail } from './wick-tail.ts';
import { YoungMarket } from './young-market.ts';

/**
 * Unusual factors: of a close far from both its neighbors against the usual move, and of one after which prices return
 * to where they were; of a high or low far from the closes against the usual range, of a close that stays away against
 * the usual move; of one that stays at a half, a third, a tenth …, which news seldom meets. If closes move by 1 % a row and
 * rows range over 2 %, a close of 115 between 100 and 100.5 is a spike (14 times), and a high of 120 a wick (9 times). In
 * days of shares, splits are jumps of 24 times the usual move and more.
 */
const far = { spike: 20, returned: 14, wick: 8, jump: 30, round: 24 };

/**
 * Change, to 1.4 times the price, up to which a row that was traded is news. One of a rush is news up to 8 times, unless by a
 * whole ratio as of a split: 0.535 to 0.7996 by 137 times the coins.
 */
const mostNews = 0.4;

/** Times more likely that a row of another volume may be by the other changes of the table. */
const untraded = 10;

/** Share of a move by which the close after a spike, or the open of a row, may miss the close before: news seldom takes back all. */
const nearlyBack = 0.1;

/** Least suspected change, and least jump: news moves a currency by 30 times the usual, but by less than this. */
const [least, leastJump] = [0.01, 0.05];

/**
 * A longer gap may hold a larger jump: nights, weekends and holidays move the price of a day little, but that of an hour
 * or minute as the hours of a day do. Eighteen days without minutes hold 160 times the usual move of one.
 */
const longGap = 5 * day;

/** Change, to 8 times the price, that is never usual: it is suspected however wild the market is, and sets nothing. */
const great = 7;

/** Usual moves or ranges from which a great change that is back in the next row is beyond chance in a table of any length. */
const farthest = 100;

/** The usual move and range if no row moves. */
const unknown = { move: 0.03, range: 0.1 };

type Usual = { readonly move: number; readonly range: number };

/** A suspicion that waits for the end of the table. */
type Held = HeldPlace & {
  readonly doubt: Doubt;
  readonly words: Words;
  /** The changes among which it must be odd, with the least of them that was looked at; none for a great one and a jump. */
  readonly among?: { readonly tail: WickTail; readonly least: number; readonly likelier: number };
};

export const spikeDoubt: Doubt = {
  ...{ id: 'price/spike', kind: 'spike' },
  statement: 'A close, high or low lies near its neighbors, compared with the usual move and range.',
};

export const jumpDoubt: Doubt = {
  ...{ id: 'price/jump', kind: 'jump' },
  statement:
    'A close lies near the one before: within 30 usual moves, 24 for a whole ratio, and below 8 times as high or low.',
};

/** Finds rows that leave the local volatility: the usual is the median of a row's block and its two neighbors. */
export class Moves extends Detector {
  static readonly doubts = [spikeDoubt, jumpDoubt];
  readonly #changes = [new Float64Array(blockSize), new Float64Array(blockSize)] as const;
  readonly #held = new HeldPlaces<Held>();
  readonly #wicks = new WickTail();
  readonly #spikes = new WickTail();
  readonly #young = new YoungMarket();
  #isSpike = false;
  /** The usual move and range of the block that is judged, and of those around it. */
  #usual: Usual[] = [];
  #measured = 0;

  judge(from: number, to: number): void {
    const before = this.window.rows - this.window.count;
    for (let at = from; at < to; ) {
      const end = Math.min(to, at + blockSize);
      this.#measureBlocks(before + at + 2 * blockSize);
      const usual = this.#findUsual();
      while (at < end) {
        const unordinary = this.#findUnordinary(at, end);
        if (unordinary > at) this.#isSpike = false;
        if (unordinary < end) this.#judgeRow(unordinary, this.#besideLively(unordinary, usual));
        at = Math.min(end, unordinary + 1);
      }
    }
  }

  end(): void {
    if (this.window.crossesZero) return;
    for (const held of this.#held.all) {
      const { doubt, words, among } = held;
      if (this.#isListing(held) || this.#young.isYoung(held.from)) continue;
      const isOdd = among?.tail.isOdd(words.unusual ?? 0, { ...among, rows: this.window.rows }) !== false;
      if (isOdd) this.suspect(doubt, held, words);
    }
  }

  /** Returns whether a wick is that of the first row: an auction, or the first trades of a listing. */
  #isListing({ doubt, from }: Held): boolean {
    const { first, columns, count } = this.window;
    return doubt === spikeDoubt && from === Math.min(first.start, columns.start[count - 1] as number);
  }

  /** Measures the blocks up to a row, at least three of them, and at the end of the table its last rows. */
  #measureBlocks(to: number): void {
    const { rows, count } = this.window;
    const first = rows - count;
    const until = Math.min(rows, Math.max(to, 3 * blockSize));
    for (; this.#measured < until; this.#measured += blockSize) {
      const end = Math.min(rows, this.#measured + blockSize) - first;
      this.#usual.push(this.#measure(Math.max(0, end - blockSize), end));
      this.#young.measure(this.window, Math.max(0, end - blockSize), end);
    }
    while (this.#usual.length > 3) this.#usual.shift();
  }

  #measure(from: number, to: number): Usual {
    const { high, low, close } = this.window.columns;
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

  /** Returns, without a division, the first row some of whose prices are not near its close and the previous one. */
  #findUnordinary(from: number, end: number): number {
    const { high, low, close } = this.window.columns;
    const near = 1 + least;
    let before = close[from === 0 ? 0 : from - 1] as number;
    for (let at = from; at < end; at++) {
      const price = close[at] as number;
      const top = price > before ? price : before;
      const bottom = price > before ? before : price;
      const isNear = top < near * bottom && (high[at] as number) < near * top;
      if (!(isNear && bottom < near * (low[at] as number))) return at;
      before = price;
    }
    return end;
  }

  #findUsual(): Usual {
    const middle = (name: keyof Usual): number => {
      const known = this.#usual.map((usual) => usual[name]).filter((size) => size > 0);
      return known.length > 0 ? median(known) : unknown[name];
    };
    return { move: middle('move'), range: middle('range') };
  }

  /** Raises what is usual to what the rows near one show: news comes out of quiet hours, and the market stays awake. */
  #besideLively(at: number, usual: Usual): Usual {
    const { count, columns } = this.window;
    const { high, low, close } = columns;
    const [before, after] = [Math.max(1, at - nearRows), Math.min(count, at + nearRows + 1)];
    const ranges: number[] = [];
    const moves: [number[], number[]] = [[], []];
    for (let near = before; near < after; near++) {
      const move = change(close[near] as number, close[near - 1] as number);
      if (near !== at && near !== at + 1) moves[near < at ? 0 : 1].push(move);
      if (near !== at) ranges.push((high[near] as number) / (low[near] as number) - 1);
    }
    const measureUsual = (all: number[]): number => findUsualChange(Float64Array.from(all)) || 0;
    return {
      move: Math.max(usual.move, ...moves.map(measureUsual)),
      range: Math.max(usual.range, measureUsual(ranges)),
    };
  }

  #judgeRow(at: number, usual: Usual): void {
    const { close } = this.window.columns;
    const price = close[at] as number;
    const before = at === 0 ? price : (close[at - 1] as number);
    const after = at + 1 < this.window.count ? (close[at + 1] as number) : price;
    const isBetween = price > before !== price > after || price === after;
    const back = change(price, before);
    const away = isBetween ? 0 : Math.min(back, change(price, after));
    const times = countTimes(away, usual.move) / Math.sqrt(this.#countRests(at));
    const wasSpike = this.#isSpike;
    const isBack = change(after, before) <= nearlyBack * away;
    this.#isSpike = times > (isBack ? far.returned : far.spike) || away >= great;
    this.#spikes.add(times);
    if (this.#isSpike) {
      const power = namePower(price, before, after, usual.move);
      const words = `close ${price} between ${before} before and ${after} after${power}`;
      this.#holdSpike(at, words, { times, changed: away, tail: this.#spikes, usual: usual.move });
    } else if (!this.#hasWick(at, before, usual) && back > leastJump && !wasSpike)
      this.#judgeJump(at, back, usual);
  }

  /** Holds a high or a low that is far from its row's close and the previous one. */
  #hasWick(at: number, before: number, usual: Usual): boolean {
    const { columns } = this.window;
    const names = ['high', 'low', 'close'] as const;
    const [high, low, close] = names.map((name) => columns[name][at]) as [number, number, number];
    const up = high / Math.max(close, before) - 1;
    const down = Math.min(close, before) / low - 1;
    const away = Math.max(up, down);
    const times = countTimes(away, usual.range) / Math.sqrt(this.#countRests(at));
    this.#wicks.add(times);
    if (times <= far.wick && away < great) return false;
    const isUp = up > down;
    const wick = { isUp, edge: isUp ? high : low, usual: usual.move };
    const isDisorder = isOfDisorder(columns.start[at] as number, this.window.length);
    if (away < great && (isDisorder || isWickNews(this.window, at, wick))) return true;
    const words = `${isUp ? `high ${high} above` : `low ${low} below`} the closes ${before} and ${close}`;
    this.#holdSpike(at, words, { times, changed: away, tail: this.#wicks, usual: usual.range });
    return true;
  }

  /** Counts the intervals from the row before in time to a row, as countRests does. */
  #countRests(at: number): number {
    const { length, direction, columns, count } = this.window;
    const [first, last] = direction === 1 ? [at - 1, at] : [at, at + 1];
    if (first < 0 || last >= count) return 1;
    return countRests(Math.abs((columns.start[last] as number) - (columns.start[first] as number)), length);
  }

  /** Suspects a close that is far from the one before; after missing rows it may be farther. */
  #judgeJump(at: number, move: number, usual: Usual): void {
    const { length, direction, columns } = this.window;
    const { start, close } = columns;
    const step = Math.abs((start[at] as number) - (start[at - 1] as number));
    // Other series have a doubt of their own.
    if (isLongBreak(step, length)) return;
    const held = length < day ? length : Math.max(longGap, length);
    const gaps = step > longGap ? Math.max(1, step / held) : countRests(step, length);
    const times = countTimes(move, usual.move) / Math.sqrt(gaps);
    const [later, earlier] = direction === 1 ? [at, at - 1] : [at - 1, at];
    const [after, before] = [close[later] as number, close[earlier] as number];
    const isWhole = isRound(before, after, usual.move);
    if (times <= (isWhole ? far.round : far.jump) && move < great) return;
    if (move < great) {
      const wasTraded = isTraded(this.window, later);
      if (wasTraded === true && move < mostNews) return;
      if (!isWhole && isRush(this.window, later)) return;
      if (wasTraded !== false && this.#isWithinRow(later, before)) return;
    }
    const words = `close ${after} after ${before}: ${nameRatio(before, after, usual.move)}`;
    this.#hold(later, jumpDoubt, words, times, move);
  }

  /**
   * Returns whether prices came from the close before within the row, as trades do: 0.221 to 0.4334 in a day that opens at
   * 0.2209. Prices of a split, of another unit or another pair open where they close.
   */
  #isWithinRow(at: number, before: number): boolean {
    const { open, close } = this.window.columns;
    const opened = Math.abs(Math.log((open[at] as number) / before));
    return opened <= nearlyBack * Math.abs(Math.log((close[at] as number) / before));
  }

  /** Holds a close, high or low that is far away, unless the market traded there as on few other days, or is thin. */
  #holdSpike(
    at: number,
    words: string,
    {
      times,
      changed,
      tail,
      usual,
    }: {
      readonly times: number;
      readonly changed: number;
      readonly tail: WickTail;
      readonly usual: number;
    },
  ): void {
    const wasTraded = changed < great && isTraded(this.window, at);
    if (wasTraded === true || (changed < great && isThin(this.window, at))) return;
    const among = {
      tail,
      least: Math.log1p(least) / usual,
      likelier: wasTraded === undefined ? 1 : untraded,
    };
    this.#hold(at, spikeDoubt, words, times, changed, changed < great ? among : undefined);
  }

  /** Holds a suspicion until the end of the table; jumps and great changes that are too many to wait are reported at once. */
  #hold(at: number, doubt: Doubt, text: string, times: number, changed: number, among?: Held['among']): void {
    // A split is a great jump that stays; prices that are back in the next row had no reason to leave.
    const isImpossible = changed >= great && times >= farthest && doubt === spikeDoubt;
    const leastOdds = isImpossible ? Number.POSITIVE_INFINITY : changed >= great ? graveOdds : 0;
    const odds = Math.max(oddsOfTimes(times), leastOdds);
    const detail = `${text}: ${thousands(Math.round(times))} times the usual change`;
    const words = { detail, odds, unusual: times, isOfRow: true };
    const held = { ...findPlace(this.window, at), doubt, words, ...(among && { among }) };
    if (!this.#held.add(held) && among === undefined) this.suspect(doubt, held, words);
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

/** Counts the intervals of a step, up to a day: what happened while a market rested comes at once, in its first trades too. */
function countRests(step: number, length: number): number {
  return length < day ? Math.max(1, Math.min(step, day) / length) : 1;
}
