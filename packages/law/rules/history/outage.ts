import { intervalName, lengthAdjective, stamp } from '@candleproof/document/spec/interval';
import { type Candle, hasSoundAverage } from '../../reading/candle.ts';
import { compare, distance } from '../../reading/decimal.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { arithmetic, measurePrecision, roundingShare } from '../../reading/tolerances.ts';
import { mayLackRows } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { anyMinutes, canBeWeighed, fitAverage, type WeightedPart } from '../../relations/minute-weights.ts';
import { intervalLength, isInverted, isOpen, poolKey } from '../../relations/series.ts';
import { firstIndexFrom, type Timeline } from '../../relations/timeline.ts';
import type { MissingKind } from '../breach.ts';
import { readAmount, roundingOfVolumes, sumAmounts } from '../rollup/family-values.ts';
import { lacksMinutes, matchesPrices, meanValue } from '../rollup/missed-minutes.ts';

/**
 * The content of a longer candle beyond the remaining rows in it. `more`: the content of a missing row. `nothing`: no
 * price and no volume. `minutes`: nothing, and its average shows that minutes beside the gap are missing too. `open`: its
 * numbers do not show it.
 */
export type Holds = 'more' | 'nothing' | 'minutes' | 'open';

/** A longer candle, its length and that of its parts in seconds, and the parts that are there. */
export type Torn = {
  readonly parent: Candle;
  readonly length: number;
  readonly partLength: number;
  readonly left: readonly Candle[];
};

/** The reason why rows are missing: the kind, words for the actual value, and whether anything else proves it. */
export type MissingCause = {
  readonly kind: MissingKind;
  readonly words?: string;
  /** Words for what shows that contradicted rows existed. */
  readonly shown?: string;
  /** For rows at the end: the last second of which the pool shows anything. */
  readonly since?: number;
};

/** Determines from all other candles of the pool why an answer lacks the rows from these starts. */
export function findCause(
  answer: HistoryAnswer,
  missing: readonly number[],
  evidence: Evidence,
): MissingCause {
  const ofPool = evidence.timelines().filter((timeline) => timeline.pool === poolKey(answer));
  const lines = ofPool.filter((timeline) => timeline.inverted === isInverted(answer));
  const candles = lines.find(({ length }) => length === intervalLength(answer))?.candles ?? [];
  const needsTrade = mayLackRows(answer, evidence);
  const torn = findTornParents(intervalLength(answer), candles, missing, lines);
  const held = torn.map((parent) => ({
    ...parent,
    holding: holds(parent, poolKey(answer), evidence, needsTrade),
  }));
  const shown = findWitness(answer, candles, missing, ofPool, evidence) ?? holderInWords(held.find(isFuller));
  if (shown !== undefined) return { kind: 'contradicted', shown, words: `${shown}: rows were lost` };
  if (isAtEnd(missing, answer, evidence))
    return { kind: 'at the end', ...describeEnd(missing, answer, evidence) };
  if (held.length === 0 || held.some(({ holding }) => holding === 'open')) return { kind: 'consistent' };
  const isOut =
    held.some(({ holding }) => holding === 'minutes') ||
    answer.inTime.some(isIdle) ||
    lacksMinutes(poolKey(answer), evidence);
  const why = isOut ? 'an outage of the observer' : 'never observed, or left out because nothing was traded';
  return {
    kind: 'consistent',
    words: `the longer candles hold nothing beside the rows that are left: ${why}`,
  };
}

type Held = Torn & { readonly holding: Holds };

function isFuller({ holding }: Held): boolean {
  return holding === 'more';
}

function holderInWords(held: Held | undefined): string | undefined {
  if (!held) return undefined;
  return `the ${lengthAdjective(held.length)} candle from ${stamp(held.parent.start)} holds more than its remaining rows`;
}

/**
 * Returns whether no candle of the pool, of any length and side, begins at the missing rows or later, and no open one shows a
 * later observation than the first of them.
 */
function isAtEnd(
  [first = Number.NaN]: readonly number[],
  answer: HistoryAnswer,
  { histories, conventions }: Evidence,
): boolean {
  const ofPool = histories.filter((history) => poolKey(history) === poolKey(answer));
  return ofPool.every((historyAnswer) => {
    const newest = historyAnswer.inTime.at(-1);
    if (!newest) return true;
    const isCut = conventions.openEnd === 'last observation' && isOpen(newest, historyAnswer);
    return newest.start < first && !(isCut && newest.end > first + intervalLength(answer));
  });
}

/** Words the end of the pool's rows, and whether those of others continue. */
function describeEnd(
  missing: readonly number[],
  answer: HistoryAnswer,
  { candleAnswers }: Evidence,
): Required<Pick<MissingCause, 'words' | 'since'>> {
  const first = missing[0] ?? Number.NaN;
  const [samePool, others] = [true, false].map((wanted) =>
    candleAnswers.filter((candleAnswer) => (poolKey(candleAnswer) === poolKey(answer)) === wanted),
  );
  const newest = samePool?.flatMap(({ inTime }) => inTime.at(-1) ?? []) ?? [];
  // A longer candle that began earlier says less about the time of the last observation.
  const [last] = newest.toSorted((a, b) => b.start - a.start || a.end - b.end);
  const goOn = others?.some(({ inTime }) => (inTime.at(-1)?.end ?? 0) > first + intervalLength(answer));
  const beside =
    others?.length === 0 ? '' : goOn ? ', although other pools continue' : ', nor has any other pool';
  return { words: `no rows from ${stamp(first)} on${beside}`, since: Math.min(last?.end ?? first, first) };
}

/** Returns whether an interval without trade has its row nevertheless. */
function isIdle(candle: Candle): boolean {
  return readAmount(candle, 'volume')?.units === 0n;
}

/** Names another answer with one of the rows, its inverted side, or a shorter interval with a row inside one of them. */
function findWitness(
  answer: HistoryAnswer,
  line: readonly Candle[],
  missing: readonly number[],
  ofPool: readonly Timeline[],
  { spec }: Evidence,
): string | undefined {
  const findPresent = (candles: readonly Candle[]): number | undefined =>
    missing.find((start) => candles[firstIndexFrom(candles, start)]?.start === start);
  const reported = findPresent(line);
  if (reported !== undefined) return `another answer has the row from ${stamp(reported)}`;
  for (const { length, candles, inverted } of ofPool) {
    const isOtherSide = length === intervalLength(answer) && inverted !== isInverted(answer);
    const turned = isOtherSide ? findPresent(candles) : undefined;
    const side = inverted ? 'inverted' : 'plain';
    if (turned !== undefined) return `the ${side} answer has the row from ${stamp(turned)}`;
  }
  for (const { length, candles } of ofPool.filter((timeline) => timeline.length < intervalLength(answer))) {
    for (const start of missing) {
      const candle = candles[firstIndexFrom(candles, start)];
      if (candle && candle.start < start + intervalLength(answer))
        return `${intervalName(spec.intervals, length)} has rows from ${stamp(candle.start)}`;
    }
  }
  return undefined;
}

/** Lists the longer candles that lack parts, as far as every other part of them is known. */
function findTornParents(
  partLength: number,
  candles: readonly Candle[],
  missing: readonly number[],
  lines: readonly Timeline[],
): Torn[] {
  const gaps = new Set(missing);
  const found = new Map<Candle, Torn>();
  for (const start of missing) {
    const holder = findParent(start, partLength, lines);
    if (!holder || found.has(holder.parent)) continue;
    const { parent, length } = holder;
    const left = candles.slice(
      firstIndexFrom(candles, parent.start),
      firstIndexFrom(candles, parent.start + length),
    );
    found.set(parent, { parent, length, partLength, left });
  }
  return [...found.values()].filter((torn) => isAccountedFor(torn, gaps));
}

/** Returns the shortest of the longer candles that contain an interval. */
function findParent(start: number, partLength: number, lines: readonly Timeline[]) {
  const holders = lines.flatMap(({ candles, length }) => {
    const parent = candles[firstIndexFrom(candles, start + 1) - 1];
    return parent && length > partLength && parent.start + length >= start + partLength
      ? [{ parent, length }]
      : [];
  });
  return holders.sort((a, b) => a.length - b.length)[0];
}

/** Returns whether every part is there or known to be missing: none lies outside the requested ranges. */
function isAccountedFor({ parent, length, partLength, left }: Torn, gaps: ReadonlySet<number>): boolean {
  const there = new Set(left.map((candle) => candle.start));
  for (let at = parent.start; at < parent.start + length; at += partLength)
    if (!there.has(at) && !gaps.has(at)) return false;
  return true;
}

/**
 * Determines the content of a longer candle beyond its remaining rows. If rows need a trade, only volume proves one: an
 * interval without any may have had a price.
 */
export function holds(torn: Torn, pool: string, evidence: Evidence, needsTrade = false): Holds {
  const { parent, left } = torn;
  if (left.length === 0) return needsTrade && readAmount(parent, 'volume')?.units === 0n ? 'nothing' : 'more';
  const total = sumAmounts(left, 'volume');
  const whole = readAmount(parent, 'volume');
  if (!total || !whole) return 'open';
  const isSummed = compare(distance(whole, total), roundingOfVolumes(left, total, whole)) <= 0;
  if (!isSummed) return 'more';
  if (needsTrade) return 'nothing';
  if (!matchesPrices(parent, left)) return 'more';
  if (![parent, ...left].every(hasSoundAverage)) return 'nothing';
  return explainedByAverage(torn, pool, evidence);
}

/**
 * Returns whether the average is a mean of the remaining rows, weighted by the minutes that each may have: any number
 * if all are incomplete, else only beside a gap, where an outage begins or ends, unless minutes are missing elsewhere.
 */
function explainedByAverage(
  { parent, length, partLength, left }: Torn,
  pool: string,
  evidence: Evidence,
): Holds {
  const averages = left.map(({ avg }) => avg);
  const rounding = roundingShare(parent.avg, measurePrecision(averages));
  const mean = meanValue(averages);
  if (Math.abs(parent.avg - mean) <= (arithmetic + 2 * rounding) * mean) return 'nothing';
  const isShort = canBeWeighed(partLength, length / partLength);
  const starts = new Set(left.map(({ start }) => start));
  const isBesideGap = ({ start }: Candle): boolean =>
    [start - partLength, start + partLength].some(
      (start) => !starts.has(start) && start >= parent.start && start < parent.start + length,
    );
  const parts = left.map((candle): WeightedPart => {
    const part = anyMinutes(candle.avg, partLength);
    return isShort || isBesideGap(candle) ? part : { ...part, fewest: part.most };
  });
  const fit = fitAverage(parent.avg, parts, rounding);
  if (fit === 'fits') return 'minutes';
  if (fit === 'misses' && isShort) return 'more';
  return lacksMinutes(pool, evidence) ? 'minutes' : 'open';
}
