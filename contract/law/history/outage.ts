import { nameOfLength, stamp } from '../../document/interval.ts';
import { type Candle, hasSoundAverage } from '../../reading/candle.ts';
import { compare, distance } from '../../reading/decimal.ts';
import { precisionOf, roundingShare } from '../../reading/precision.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { arithmetic } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { anyMinutes, canBeWeighed, fitOf, type WeightedPart } from '../../relations/minute-weights.ts';
import { isInverted, lengthOf, poolOf } from '../../relations/series.ts';
import { firstFrom, type Timeline } from '../../relations/timeline.ts';
import { meanOf } from '../rollup/mean-formulas.ts';
import { hasPricesOf, lacksMinutes } from '../rollup/missed-minutes.ts';
import { amountOf, roundingOfVolumes, sumOf } from '../rollup/rollup-amounts.ts';

/**
 * What a longer candle holds beside the rows that are left in it. `more`: what a missing row held. `nothing`: no price
 * and no volume. `minutes`: nothing, and its average shows that minutes beside the gap are missing too. `open`: its
 * numbers do not tell.
 */
export type Holds = 'more' | 'nothing' | 'minutes' | 'open';

/** A longer candle, its length and that of its parts in seconds, and those of its parts that are there. */
export type Torn = {
  readonly parent: Candle;
  readonly length: number;
  readonly partLength: number;
  readonly left: readonly Candle[];
};

/** Why rows are missing: in words, and whether the target is known to have had them. */
export type OutageCause = { readonly words: string; readonly isLoss: boolean };

/** Undefined where nothing tells. */
export function causeOf(
  answer: HistoryAnswer,
  missing: readonly number[],
  evidence: Evidence,
): OutageCause | undefined {
  const lines = evidence
    .timelines()
    .filter((each) => each.pool === poolOf(answer) && each.inverted === isInverted(answer));
  const own = lines.find(({ length }) => length === lengthOf(answer))?.candles ?? [];
  const nameOf = (length: number): string => nameOfLength(evidence.spec.intervals, length);
  const shower = showerOf(answer, own, missing, lines, nameOf);
  if (shower !== undefined) return { words: `${shower}: rows were lost`, isLoss: true };
  const torn = tornBy(lengthOf(answer), own, missing, lines);
  const held = torn.map((each) => ({ ...each, holding: holds(each, poolOf(answer), evidence) }));
  const more = held.find(({ holding }) => holding === 'more');
  if (more) {
    const holder = `the ${nameOf(more.length)} from ${stamp(more.parent.start)}`;
    return { words: `${holder} holds more than the rows that are left: rows were lost`, isLoss: true };
  }
  if (held.length === 0 || held.some(({ holding }) => holding === 'open')) return undefined;
  const isOut =
    held.some(({ holding }) => holding === 'minutes') ||
    answer.inTime.some(isIdle) ||
    lacksMinutes(poolOf(answer), evidence);
  const why = isOut ? 'an outage of the observer' : 'never observed, or left out because nothing was traded';
  return { words: `the longer candles hold nothing beside the rows that are left: ${why}`, isLoss: false };
}

/** Nothing was traded in it, and yet it has its row. */
function isIdle(candle: Candle): boolean {
  return amountOf(candle, 'volume')?.units === 0n;
}

/** Another answer that has one of the rows, or a shorter interval that has a row in one of them. */
function showerOf(
  answer: HistoryAnswer,
  own: readonly Candle[],
  missing: readonly number[],
  lines: readonly Timeline[],
  nameOf: (length: number) => string,
): string | undefined {
  const reported = missing.find((start) => own[firstFrom(own, start)]?.start === start);
  if (reported !== undefined) return `another answer has the row from ${stamp(reported)}`;
  for (const { length, candles } of lines.filter((each) => each.length < lengthOf(answer))) {
    for (const start of missing) {
      const candle = candles[firstFrom(candles, start)];
      if (candle && candle.start < start + lengthOf(answer))
        return `${nameOf(length)} has rows from ${stamp(candle.start)}`;
    }
  }
  return undefined;
}

/** The longer candles that lack parts, as far as each other part of theirs is known. */
function tornBy(
  partLength: number,
  own: readonly Candle[],
  missing: readonly number[],
  lines: readonly Timeline[],
): Torn[] {
  const gaps = new Set(missing);
  const found = new Map<Candle, Torn>();
  for (const start of missing) {
    const holder = holderOf(start, partLength, lines);
    if (!holder || found.has(holder.parent)) continue;
    const { parent, length } = holder;
    const left = own.slice(firstFrom(own, parent.start), firstFrom(own, parent.start + length));
    found.set(parent, { parent, length, partLength, left });
  }
  return [...found.values()].filter((each) => isAccountedFor(each, gaps));
}

/** The shortest of the longer candles that hold an interval. */
function holderOf(start: number, partLength: number, lines: readonly Timeline[]) {
  const holders = lines.flatMap(({ candles, length }) => {
    const parent = candles[firstFrom(candles, start + 1) - 1];
    return parent && length > partLength && parent.start + length >= start + partLength
      ? [{ parent, length }]
      : [];
  });
  return holders.sort((a, b) => a.length - b.length)[0];
}

/** Each of its intervals has its row or is known to lack it: none lies outside of what was requested. */
function isAccountedFor({ parent, length, partLength, left }: Torn, gaps: ReadonlySet<number>): boolean {
  const there = new Set(left.map((each) => each.start));
  for (let at = parent.start; at < parent.start + length; at += partLength)
    if (!there.has(at) && !gaps.has(at)) return false;
  return true;
}

export function holds(torn: Torn, pool: string, evidence: Evidence): Holds {
  const { parent, left } = torn;
  if (left.length === 0) return 'more';
  const total = sumOf(left, 'volume');
  const whole = amountOf(parent, 'volume');
  if (!total || !whole) return 'open';
  const isSummed = compare(distance(whole, total), roundingOfVolumes(left, total, whole)) <= 0;
  if (!isSummed || !hasPricesOf(parent, left)) return 'more';
  if (![parent, ...left].every(hasSoundAverage)) return 'nothing';
  return heldByAverage(torn, pool, evidence);
}

/**
 * A mean of the rows that are left, as many minutes of each as there may have been: where all of them are short, of any;
 * else of those beside a gap, where an outage begins and ends, unless minutes are known to be missing elsewhere.
 */
function heldByAverage({ parent, length, partLength, left }: Torn, pool: string, evidence: Evidence): Holds {
  const averages = left.map(({ avg }) => avg);
  const rounding = roundingShare(parent.avg, precisionOf(averages));
  const mean = meanOf(averages);
  if (Math.abs(parent.avg - mean) <= (arithmetic + 2 * rounding) * mean) return 'nothing';
  const isShort = canBeWeighed(partLength, length / partLength);
  const starts = new Set(left.map(({ start }) => start));
  const isBesideGap = ({ start }: Candle): boolean =>
    [start - partLength, start + partLength].some(
      (each) => !starts.has(each) && each >= parent.start && each < parent.start + length,
    );
  const parts = left.map((each): WeightedPart => {
    const part = anyMinutes(each.avg, partLength);
    return isShort || isBesideGap(each) ? part : { ...part, fewest: part.most };
  });
  const fit = fitOf(parent.avg, parts, rounding);
  if (fit === 'fits') return 'minutes';
  if (fit === 'misses' && isShort) return 'more';
  return lacksMinutes(pool, evidence) ? 'minutes' : 'open';
}
