import { lengthAdjective, stamp } from '@candleproof/document/spec/interval';
import { operationById, poolName } from '@candleproof/document/spec/operation';
import type { Candle } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { largest } from '../../reading/statistics.ts';
import { describePattern, thousands } from '../../reading/words.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, intervalWords, poolKey } from '../../relations/series.ts';
import { closedCandles } from '../../relations/timeline.ts';
import type { Breach, MissingKind, MissingSlot, Picture } from '../breach.ts';

/** Names a round number of rows at which an answer ends, if the document declares no limit. */
export function capWords(
  { records, candles, requested }: HistoryAnswer,
  missing: readonly number[],
  { spec }: Evidence,
): string[] {
  const { length: rows } = records;
  const [first = 0, last = 0] = [candles[0]?.start, candles.at(-1)?.start].toSorted((a = 0, b = 0) => a - b);
  const isRound = rows >= 50 && (rows % 50 === 0 || Number.isInteger(Math.log2(rows)));
  const isCut = missing.every((start) => start < first) || missing.every((start) => start > last);
  if (!isRound || !isCut || operationById(spec, requested.operation).maxRows !== undefined) return [];
  return [`exactly ${thousands(rows)} rows came: if that is your limit, x-max-rows: ${rows}`];
}

type Lack = { readonly pool: string; readonly all: number; readonly since: number };

/** `8 of 191 hourly candles of V2 pool 1 are missing, each at 12:00 UTC, though …` */
export function lackInWords(
  kind: MissingKind,
  answer: HistoryAnswer,
  missing: readonly number[],
  { pool, all, since }: Lack,
): string {
  const length = intervalLength(answer);
  const share = `${thousands(missing.length)} of ${thousands(all)} ${lengthAdjective(length)} candles`;
  const are = missing.length === 1 ? 'is' : 'are';
  const pattern = describePattern(missing, length);
  const when = pattern === undefined ? '' : `, ${pattern}`;
  if (kind === 'contradicted')
    return `${share} of ${pool} ${are} missing${when}, though other candles show that ${missing.length === 1 ? 'it' : 'they'} existed.`;
  if (kind === 'consistent') return `${share} of ${pool} ${are} missing${when}; nothing shows trading then.`;
  return `${pool} ends early, at ${stamp(since)}: ${share} ${are} missing, the last.`;
}

/** Words the number of missing rows and the first few. */
export function listMissing(starts: readonly number[]): string {
  const listed = starts.slice(0, 3).map(stamp).join(', ');
  return `${starts.length} missing: ${listed}${starts.length > 3 ? ', …' : ''}`;
}

/** Missing intervals that are drawn. */
const mostDrawn = 26;

/** Gaps that a strip of the whole answer shows. */
const mostGaps = 200;

/** Returns the missing rows in ascending order as a report draws them: the first ones, and all as gaps of the whole answer. */
export function drawGaps(
  answer: HistoryAnswer,
  starts: readonly number[],
): Pick<Picture, 'missing' | 'strip'> {
  const length = intervalLength(answer);
  const missing = starts.slice(0, mostDrawn).map((start) => ({ start, end: start + length }));
  const gaps = joinSlots(starts, length);
  const { inTime } = answer;
  const [first, last] = [inTime[0]?.start ?? Number.NaN, inTime.at(-1)?.start ?? Number.NaN];
  const [start, end] = [Math.min(first, starts[0] ?? first), Math.max(last, starts.at(-1) ?? last) + length];
  if (!(start < end) || gaps.length > mostGaps) return { missing };
  return { missing, strip: { start, end, length, gaps } };
}

/** Joins adjacent intervals. */
function joinSlots(starts: readonly number[], length: number): MissingSlot[] {
  const gaps: { start: number; end: number }[] = [];
  for (const start of starts) {
    const last = gaps.at(-1);
    if (last?.end === start) last.end = start + length;
    else gaps.push({ start, end: start + length });
  }
  return gaps;
}

/** Candles that are drawn on each side of a gap. */
const shownAround = 8;

/** Returns the candles on both sides of a gap. */
export function candlesAroundGap(answer: HistoryAnswer, gap: number): Candle[] {
  const candles = answer.inTime;
  const after = candles.findIndex((candle) => candle.start > gap);
  const at = after < 0 ? candles.length : after;
  return candles.slice(Math.max(0, at - shownAround), at + shownAround);
}

/**
 * Returns the start of the oldest row of an answer's pool and interval, in any answer and on either side. An interval that shows
 * no closed row at all has no past that could stop.
 */
export function findOldest(answer: HistoryAnswer, { histories }: Evidence): number {
  const alike = histories.filter(
    (history) => poolKey(history) === poolKey(answer) && intervalLength(history) === intervalLength(answer),
  );
  const starts = alike.flatMap((history) => closedCandles(history)[0]?.start ?? []);
  return starts.length === 0 ? Number.NEGATIVE_INFINITY : -largest(starts.map((start) => -start));
}

/** The oldest row of an interval, what else shows that older ones existed, and the number of rows that were due. */
type Past = { readonly oldest: number; readonly shown?: string | undefined; readonly all: number };

/** Makes the breach of an interval whose past stops before that of others. */
export function describePast(
  answer: HistoryAnswer,
  past: readonly number[],
  { oldest, shown, all }: Past,
  evidence: Evidence,
): Breach {
  const words = intervalWords(answer);
  const pool = poolName(evidence.spec, answer.requested);
  const hidden = `${thousands(past.length)} of ${thousands(all)}`;
  const why = shown ?? 'other intervals have older rows';
  const proof =
    shown === undefined ? 'other intervals go further back' : 'other candles show that they existed';
  return {
    answer,
    pointer: '',
    expected: `a candle for each of ${thousands(all)} ${words} intervals, as far back as other intervals reach`,
    actual: [
      `${listMissing(past)}; no ${words} candle before ${stamp(oldest)}, but ${why}`,
      ...capWords(answer, past, evidence),
    ].join('; '),
    candles: candlesAroundGap(answer, past[0] ?? oldest),
    picture: drawGaps(answer, past),
    sentence: `The ${lengthAdjective(intervalLength(answer))} candles of ${pool} begin at ${stamp(oldest)}: ${hidden} are missing before, though ${proof}.`,
  };
}
