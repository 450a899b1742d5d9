import { intervalPhase } from '@candleproof/document/spec/interval';
import { poolName } from '@candleproof/document/spec/operation';
import { oncePer } from '../../reading/once.ts';
import { type HistoryAnswer, hasEveryStart } from '../../reading/reading.ts';
import { thousands } from '../../reading/words.ts';
import { mayLackRows } from '../../relations/conventions.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { classifyLoss } from '../../relations/overlaps.ts';
import { intervalWords } from '../../relations/series.ts';
import { type ExpectedStarts, missingStarts, wantedStarts } from '../../relations/timeline.ts';
import type { Breach, MissingKind } from '../breach.ts';
import { completeRule } from '../facts.ts';
import { closedWeekInEachInterval, recentHoursOfEachPool } from '../needs.ts';
import { joinParts } from '../observed-values.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import {
  candlesAroundGap,
  capWords,
  describePast,
  drawGaps,
  findOldest,
  lackInWords,
  listMissing,
} from './missing-rows.ts';
import { findCause } from './outage.ts';

/** Puts the worst kind first, since a finding shows the first one. */
const worstFirst: readonly (MissingKind | undefined)[] = ['contradicted', 'consistent', 'at the end'];

/** Reports missing rows; if quiet intervals are declared, only those that other candles contradict. */
function* checkComplete(evidence: Evidence): Generator<CheckOutcome> {
  const breaches: Breach[] = [];
  for (const { answer, breach } of incomplete(evidence)) {
    if (!answer) yield { undecided: 'some candles have no readable start' };
    else if (!breach) yield { judged: answer };
    else if (breach.kind === 'contradicted' || !mayLackRows(answer, evidence)) breaches.push(breach);
  }
  breaches.sort((a, b) => worstFirst.indexOf(a.kind) - worstFirst.indexOf(b.kind));
  for (const breach of breaches) yield { breach };
}

/** Reports rows that are missing before the oldest one of their interval, though other candles show that they existed. */
function* checkBeginnings(evidence: Evidence): Generator<CheckOutcome> {
  for (const { answer, past } of incomplete(evidence)) {
    if (!answer) yield { undecided: 'some candles have no readable start' };
    else yield past ? { breach: past } : { judged: answer };
  }
}

/**
 * A judged answer and the breaches found in it: rows that are missing, and older ones of an interval whose past stops there;
 * neither if its starts are unreadable.
 */
type JudgedHistory =
  | { readonly answer: HistoryAnswer; readonly breach?: Breach; readonly past?: Breach }
  | { readonly answer?: undefined; readonly breach?: undefined; readonly past?: undefined };

/**
 * Intervals strictly inside the range belong to it under every interpretation of its edges. A pool is only known to exist
 * from the end of the first interval that any answer shows, which may contain its birth. Rows that another range holds are
 * missing here alone, and the rules of overlapping ranges report them.
 */
const incomplete = oncePer((evidence: Evidence): JudgedHistory[] => [...listIncomplete(evidence)]);

function* listIncomplete(evidence: Evidence): Generator<JudgedHistory> {
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
    if (missing.length > 0) yield { answer, ...findBreaches(answer, missing, wanted, evidence) };
  }
}

/** Returns the breach of missing rows, without those before the oldest of their interval. */
function findBreaches(
  answer: HistoryAnswer,
  missing: readonly number[],
  wanted: ExpectedStarts,
  evidence: Evidence,
): { readonly breach?: Breach; readonly past?: Breach } {
  const oldest = findOldest(answer, evidence);
  const past = missing.filter((start) => start < oldest);
  const { shown } = past.length > 0 ? findCause(answer, past, evidence) : {};
  if (past.length === 0 || (shown === undefined && mayLackRows(answer, evidence)))
    return { breach: findMissing(answer, missing, wanted, evidence) };
  const others = missing.slice(past.length);
  return {
    past: describePast(answer, past, { oldest, shown, all: describeCount(wanted) }, evidence),
    ...(others.length > 0 && { breach: findMissing(answer, others, wanted, evidence) }),
  };
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
    picture: drawGaps(answer, missing),
    kind,
    sentence: lackInWords(kind, answer, missing, {
      pool: poolName(evidence.spec, answer.requested),
      all: describeCount(wanted),
      since,
    }),
  };
}

/** Lists answers that lack rows which nothing contradicts; undefined for none. */
export function quietGapsAnswer(evidence: Evidence): string | undefined {
  const kinds = new Set(incomplete(evidence).map(({ breach }) => breach?.kind));
  return joinParts([
    ...(kinds.has('consistent') ? [['amid others', 'not observed'] as const] : []),
    ...(kinds.has('at the end') ? [['newest', 'not observed'] as const] : []),
  ]);
}

/** Returns whether none of its candles begins on the common grid, which the rule of alignment reports. */
function isShifted({ inTime }: HistoryAnswer, { first, length }: ExpectedStarts): boolean {
  return inTime.length > 0 && inTime.every(({ start }) => intervalPhase(start - first, length) !== 0);
}

function describeCount({ first, last, length }: ExpectedStarts): number {
  return (last - first) / length + 1;
}

const needs = [recentHoursOfEachPool, ...closedWeekInEachInterval];

export const completenessRules: readonly Rule[] = [
  {
    id: completeRule,
    shows: 'missing',
    section: '4.2',
    level: 'must',
    statement: "Every closed interval within the range and the pool's lifetime has its candle.",
    broken: 'Candles are missing from histories',
    why: 'Clients take a missing candle for a quiet hour, and a truncated answer for a new pool.',
    exactly:
      'for each S = phase + n·L with from < S, S + L < to, S + L ≤ now − 120 and S not before the end of the first interval that any answer shows of the pool, there is a candle. The finding names its kind. Contradicted, and therefore lost: another answer, the other side or a shorter interval has it, or a longer candle holds volume or prices that the rest of its parts do not. Consistent: nothing holds what the row would; an outage of the observer, where the averages of longer candles are means over the minutes that are left of rows beside the gap, or rows without trades are there. At the end: the pool has no row after it either. Rows before the oldest one of their pool and interval that any answer holds are left to `history/intervals-begin-together`. Where the target is declared with gaps: idle, or the document has x-gaps: idle, the last two kinds are observed and fail nothing.',
    restsOn: ['history', 'from', 'to'],
    needs,
    check: checkComplete,
  },
  {
    id: 'history/intervals-begin-together',
    shows: 'missing',
    damage: 'gap',
    section: '4.2',
    level: 'should',
    statement: 'The past of a pool goes back as far in one interval as in the others.',
    broken: 'The past of a pool stops in one interval alone',
    why: 'How long a service keeps its rows is not shown in the document, so that a past which stops in one interval alone, such as five-minute candles that are kept for ten days, breaks no must as long as no older row of that interval is there; but a chart that begins later in one interval than in another hides the first prices without a word.',
    exactly:
      'missing rows before the oldest one of their pool and interval in any answer, on either side, while other intervals show the pool at that time; without a candle that contradicts them only where intervals without observations have rows. Where older rows of the interval reappear, or it has no closed row at all, they are lost, which is a must.',
    restsOn: ['history', 'from'],
    needs,
    check: checkBeginnings,
  },
];
