import { day, hour, intervalPhase, minute } from '@candleproof/document/spec/interval';
import { oddsOfRun } from './detector.ts';
import { countIntervals, type Hole, listParts, type WeekParts } from './inside-hole.ts';

/** Longest hole that is compared with the same hours of other days: a longer one is a rest of its own. */
const longestCompared = 8 * hour;

/** Fewest days of the week, and fewest of their intervals, that show what is usual at the hours of a hole. */
const [fewestDays, fewestShown] = [4, 100];

/**
 * Missing rows of a hole that other days have, or as many as three hours hold, and the share of their intervals that may have no row at
 * these hours: of 1,200 minutes between 16:30 and 17:00 in forty days, at most 12.
 */
const [fewestLost, longEnough, mostMissing] = [10, 3 * hour, 0.01];

/** Share of the holes that are usual: of 200, the longest but two shows how long they are, as the two may be damage. */
const usualShare = 0.99;

/**
 * Rows of a hole, where up to a fifth are missing elsewhere, and times that it is as long as nearly all others: thirty
 * minutes in a market that lacks one to three minutes now and then, not ten.
 */
const [fewestInQuiet, mostMissingInQuiet, farLonger] = [30, 0.2, 8];

/**
 * Most holes of a table that are no night, the fewest of its rows, and of the days of the week with rows at the same hours, from
 * which a hole stands alone: the only one in 5,000 minutes. Within a single day it may be a rest, from one quarter of an hour to
 * another, but not from 5:42 to 5:54.
 */
const alone = { holes: 2, rows: 500, days: 2, rest: 15 * minute };

/**
 * Share of the intervals of a part of the week up to which its rows may be those beside the hole, if the hole reaches into it: 24
 * minutes of a half hour whose others are missing show no other week, 25 do.
 */
const sameWeek = 0.8;

/** Rows of a table, and by part of the week. */
export type WeekCounts = {
  readonly parts: WeekParts;
  readonly rows: number;
  readonly present: Float64Array;
};

type Hours = { readonly days: number; readonly shown: number; readonly share: number };

/** Compares the holes of a table with the same hours of its other days. */
export class BusyHours {
  readonly #counts: WeekCounts;
  /** Missing intervals of holes by part of the week, without those of nights and holidays. */
  readonly #missing: Float64Array;
  readonly #holes: number;
  /** Rows of the longest of the holes at compared hours, but for one in a hundred, and of the mean one. */
  readonly #usual: number;
  readonly #mean: number;
  /** True for a table that has hardly a hole but nights and weekends. */
  readonly #isWhole: boolean;

  constructor(holes: readonly Hole[], counts: WeekCounts) {
    this.#counts = counts;
    const short = holes.filter(isShort);
    this.#isWhole = counts.rows >= alone.rows && short.length <= alone.holes;
    this.#missing = new Float64Array(counts.present.length);
    for (const hole of short)
      for (const { part, count } of listParts(hole, counts.parts))
        this.#missing[part] = (this.#missing[part] as number) + count;
    const sizes = short
      .filter((hole) => this.#isComparable(this.#measure(hole)))
      .map((hole) => countIntervals(hole, counts.parts.length))
      .sort((a, b) => a - b);
    this.#holes = sizes.length;
    this.#usual = sizes[Math.floor(usualShare * (sizes.length - 1))] ?? 0;
    this.#mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  }

  /**
   * Returns how a hole stands out from the same hours of other days: `busy` if they have nearly all of their rows, `quiet` if
   * they lack some, but none so long; undefined if it does not. A hole that stands alone needs no other rows.
   */
  compare(hole: Hole): 'busy' | 'quiet' | undefined {
    const { length } = this.#counts.parts;
    const rows = countIntervals(hole, length);
    if (rows < Math.min(fewestLost, longEnough / length) || !isShort(hole)) return undefined;
    const hours = this.#measure(hole);
    if (this.#isWhole && (hours.days >= alone.days || !this.#mayRest(hole))) return 'busy';
    if (!this.#isComparable(hours)) return undefined;
    if (hours.share <= mostMissing) return 'busy';
    const isFar = rows >= Math.max(fewestInQuiet, farLonger * this.#usual);
    const isChance = oddsOfRun(this.#holes, this.#holes * (1 - 1 / this.#mean), rows) === 0;
    return isFar && !isChance && hours.share <= mostMissingInQuiet ? 'quiet' : undefined;
  }

  /** Returns whether a market may be closed for just the time of a hole. */
  #mayRest({ first, last }: Hole): boolean {
    const isEdge = (time: number): boolean => intervalPhase(time, alone.rest) === 0;
    return isEdge(first) || isEdge(last + this.#counts.parts.length);
  }

  #isComparable({ days, shown }: Hours): boolean {
    return days >= fewestDays && shown >= fewestShown;
  }

  /**
   * Measures the hours of a hole, with a part of the week before and after it: the fewest days of the week that have rows at
   * any of them, how many intervals these days have, and which share of them has no row, without those of the hole.
   */
  #measure(hole: Hole): Hours {
    const { parts, present } = this.#counts;
    const [perDay, perPart] = [day / parts.size, parts.size / parts.length];
    const own = new Map<number, number>();
    for (const { part, count } of listParts(hole, parts)) own.set(part, (own.get(part) ?? 0) + count);
    const wider = { first: hole.first - parts.size, last: hole.last + parts.size };
    const times = new Set([...listParts(wider, parts)].map(({ part }) => part % perDay));
    let [days, rows, lacking] = [7, 0, 0];
    for (const time of times) {
      const open = [0, 1, 2, 3, 4, 5, 6]
        .map((weekday) => time + weekday * perDay)
        .filter((part) => (present[part] as number) > (own.has(part) ? sameWeek * perPart : 0));
      days = Math.min(days, open.length);
      for (const part of open) {
        rows += present[part] as number;
        lacking += (this.#missing[part] as number) - (own.get(part) ?? 0);
      }
    }
    return { days, shown: rows + lacking, share: lacking / (rows + lacking) };
  }
}

/** Returns whether a hole is shorter than a night. */
function isShort({ first, last }: Hole): boolean {
  return last - first <= longestCompared;
}
