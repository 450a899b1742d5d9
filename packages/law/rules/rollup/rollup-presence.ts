import { stamp } from '@candleproof/document/spec/interval';
import type { Candle } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { shorterLine } from '../../relations/families.ts';
import { intervalLength, intervalWords } from '../../relations/series.ts';
import { closedCandles, firstIndexFrom, wantedStarts } from '../../relations/timeline.ts';
import type { Breach } from '../breach.ts';
import { listMissing } from '../history/missing-rows.ts';
import type { CheckOutcome } from '../rule.ts';

/**
 * A longer interval has a candle exactly if a shorter one inside it has. Completeness covers every candle from the end
 * of the pool's first one on; this covers its first interval, in which one length proves that the other had
 * something to show.
 */
export function* checkPresence(evidence: Evidence): Generator<CheckOutcome> {
  const lines = evidence.timelines();
  for (const longer of lines.flatMap(({ answers }) => answers.filter(isProper))) {
    const line = shorterLine(longer, lines);
    const shorter =
      line?.answers.filter(
        (answer) => isProper(answer) && closedCandles(answer).length > 0 && meet(longer, answer),
      ) ?? [];
    const [oldest] = shorter.toSorted((a, b) => firstStart(a) - firstStart(b));
    if (!oldest || closedCandles(longer).length === 0) continue;
    for (const answer of [longer, ...shorter]) yield { judged: answer };
    const found = [
      partsWithoutParent(longer, oldest, evidence),
      ...shorter.map((historyAnswer) => parentWithoutParts(longer, historyAnswer, evidence)),
    ];
    for (const breach of found) if (breach) yield { breach };
  }
}

/** Only a range that the document gives a meaning says which rows are due. */
function isProper({ requested }: HistoryAnswer): boolean {
  return requested.proper;
}

function meet({ requested: one }: HistoryAnswer, { requested: other }: HistoryAnswer): boolean {
  return Math.max(one.from, other.from) < Math.min(one.to, other.to);
}

function firstStart(answer: HistoryAnswer): number {
  return closedCandles(answer)[0]?.start ?? Number.POSITIVE_INFINITY;
}

/** Lists closed candles of the shorter answer in an interval of the longer one that has none. */
function partsWithoutParent(
  longer: HistoryAnswer,
  shorter: HistoryAnswer,
  evidence: Evidence,
): Breach | undefined {
  const length = intervalLength(longer);
  const [first] = closedCandles(longer);
  const [part] = closedCandles(shorter);
  if (!first || !part || !(part.start < first.start)) return undefined;
  const steps = Math.ceil((first.start - part.start) / length);
  const start = first.start - steps * length;
  if (!isNested(part, start, shorter)) return undefined;
  if (start <= longer.requested.from || isWanted(start, longer, evidence)) return undefined;
  const expected = `a candle from ${stamp(start)}, where a ${intervalWords(shorter)} candle is`;
  return { answer: longer, pointer: '', expected, actual: listMissing([start]), candles: [part, first] };
}

/** Lists closed candles of the longer answer in which the shorter one has nothing, though its range contains it. */
function parentWithoutParts(
  longer: HistoryAnswer,
  shorter: HistoryAnswer,
  evidence: Evidence,
): Breach | undefined {
  const [parent] = closedCandles(longer);
  if (!parent || !isWithin(parent, longer, shorter)) return undefined;
  const closed = closedCandles(shorter);
  const end = parent.start + intervalLength(longer);
  const next = closed[firstIndexFrom(closed, parent.start)];
  const last = end - intervalLength(shorter);
  if (!next || next.start < end || !isNested(next, parent.start, shorter)) return undefined;
  if (isWanted(last, shorter, evidence)) return undefined;
  const expected = `candles from ${stamp(parent.start)} on, where a ${intervalWords(longer)} candle is`;
  const actual = `none before ${stamp(next.start)}`;
  return { answer: shorter, pointer: '', expected, actual, candles: [parent, next] };
}

/** Days may begin within an hour, whose content may then lie on either side. */
function isNested(part: Candle, start: number, shorter: HistoryAnswer): boolean {
  return (part.start - start) % intervalLength(shorter) === 0;
}

function isWithin({ start }: Candle, longer: HistoryAnswer, { requested }: HistoryAnswer): boolean {
  return start > requested.from && start + intervalLength(longer) < requested.to;
}

/** Returns whether the rule of completeness covers it. */
function isWanted(start: number, answer: HistoryAnswer, evidence: Evidence): boolean {
  const wanted = wantedStarts(answer, evidence);
  return wanted !== undefined && start >= wanted.first && start <= wanted.last;
}
