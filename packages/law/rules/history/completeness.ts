import { intervalPhase, lengthAdjective, stamp } from '@candleproof/document/spec/interval';
import { operationById, poolName } from '@candleproof/document/spec/operation';
import type { Candle } from '../../reading/candle.ts';
import { describePattern } from '../../reading/day-pattern.ts';
import { type HistoryAnswer, hasEveryStart } from '../../reading/reading.ts';
import { thousands } from '../../reading/thousands.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { type ExpectedStarts, missingStarts, wantedStarts } from '../../relations/expected-starts.ts';
import { classifyLoss } from '../../relations/overlaps.ts';
import { intervalLength, intervalWords } from '../../relations/series.ts';
import type { Breach, MissingKind, MissingSlot } from '../breach.ts';
import { joinParts } from '../observed-values.ts';
import type { CheckOutcome } from '../rule.ts';
import { findCause, mayLackRows } from './outage.ts';

/** The rule that a lost row breaks. */
export const completeRule = 'history/complete';

/** Puts the worst kind first, since a finding shows the first one. */
const worstFirst: readonly (MissingKind | undefined)[] = ['contradicted', 'consistent', 'at the end'];

/** Reports missing rows; if quiet intervals are declared, only those that other candles contradict. */
export function* checkComplete(evidence: Evidence): Generator<CheckOutcome> {
  const breaches: Breach[] = [];
  for (const { answer, breach } of incomplete(evidence)) {
    if (!answer) yield { undecided: 'some candles have no readable start' };
    else if (!breach) yield { judged: answer };
    else if (breach.kind === 'contradicted' || !mayLackRows(answer, evidence)) breaches.push(breach);
  }
  breaches.sort((a, b) => worstFirst.indexOf(a.kind) - worstFirst.indexOf(b.kind));
  for (const breach of breaches) yield { breach };
}

/** A judged answer and the breach found in it; neither if its starts are unreadable. */
type JudgedHistory =
  | { readonly answer: HistoryAnswer; readonly breach?: Breach }
  | { readonly answer?: undefined; readonly breach?: undefined };

/**
 * Intervals strictly inside the range belong to it under every interpretation of its edges. A pool is only known to exist
 * from the end of the first interval that any answer shows, which may contain its birth. Rows that another range holds are
 * missing here alone, and the rules of overlapping ranges report them.
 */
function* incomplete(evidence: Evidence): Generator<JudgedHistory> {
  const reported = evidence.overlaps().lost.filter((lost) => classifyLoss(lost) !== 'same');
  const elsewhere = new Set(reported.map((lost) => lost.answer));
  for (const answer of evidence.histories) {
    const wanted = wantedStarts(answer, evidence);
    if (wanted === undefined) continue;
    if (!hasEveryStart(answer)) {
      yield {};
      continue;
    }
    yield { answer };
    if (elsewhere.has(answer) || isShifted(answer, wanted)) continue;
    const missing = missingStarts(answer.inTime, wanted);
    if (missing.length > 0) yield { answer, breach: findMissing(answer, missing, wanted, evidence) };
  }
}

function findMissing(
  answer: HistoryAnswer,
  missing: readonly number[],
  wanted: ExpectedStarts,
  evidence: Evidence,
): Breach {
  const { kind, words, since = Number.NaN } = findCause(answer, missing, evidence);
  const all = `${thousands(describeCount(wanted))} ${intervalWords(answer)} intervals`;
  return {
    answer,
    pointer: '',
    expected: `a candle for each of ${all}`,
    actual: [
      listMissing(missing),
      ...(words === undefined ? [] : [words]),
      ...capWords(answer, missing, evidence),
    ].join('; '),
    candles: candlesAroundGap(answer, missing[0] ?? wanted.first),
    picture: { missing: listGaps(answer, missing) },
    kind,
    sentence: lackInWords(kind, answer, missing, {
      pool: poolName(evidence.spec, answer.requested),
      all: describeCount(wanted),
      since,
    }),
  };
}

/** Names a round number of rows at which an answer ends, if the document declares no limit. */
function capWords(
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
function lackInWords(
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

/** Lists answers that lack rows which nothing contradicts; undefined for none. */
export function quietGapsAnswer(evidence: Evidence): string | undefined {
  const kinds = new Set([...incomplete(evidence)].map(({ breach }) => breach?.kind));
  return joinParts([
    ...(kinds.has('consistent') ? [['amid others', 'not observed'] as const] : []),
    ...(kinds.has('at the end') ? [['newest', 'not observed'] as const] : []),
  ]);
}

/** Returns whether none of its candles begins on the common grid, which the rule of alignment reports. */
function isShifted({ inTime }: HistoryAnswer, { first, length }: ExpectedStarts): boolean {
  return inTime.length > 0 && inTime.every(({ start }) => intervalPhase(start - first, length) !== 0);
}

/** Words the number of missing rows and the first few. */
export function listMissing(starts: readonly number[]): string {
  const listed = starts.slice(0, 3).map(stamp).join(', ');
  return `${starts.length} missing: ${listed}${starts.length > 3 ? ', …' : ''}`;
}

function describeCount({ first, last, length }: ExpectedStarts): number {
  return (last - first) / length + 1;
}

/** Missing intervals that are drawn. */
const mostDrawn = 26;

/** Returns the intervals of missing rows, as far as they are drawn. */
export function listGaps(answer: HistoryAnswer, starts: readonly number[]): MissingSlot[] {
  return starts.slice(0, mostDrawn).map((start) => ({ start, end: start + intervalLength(answer) }));
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
