import { intervalName, lengthAdjective, stamp } from '@candleproof/document/spec/interval';
import type { Candle } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { mayLackRows } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, isInverted, isOpen, poolKey } from '../../relations/series.ts';
import { firstIndexFrom, type Timeline } from '../../relations/timeline.ts';
import type { MissingKind } from '../breach.ts';
import { readAmount } from '../rollup/family-values.ts';
import { lacksMinutes } from '../rollup/missed-minutes.ts';
import { findTornParents, type Holds, holds, type Torn } from './torn-parents.ts';

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
