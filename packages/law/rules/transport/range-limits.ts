import { stamp } from '@candleproof/document/spec/interval';
import type { Answer, HistoryAnswer } from '../../reading/reading.ts';
import type { Requested } from '../../reading/requested.ts';
import { dateLagSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { liesAhead } from '../../relations/series.ts';

type Range = { readonly from: number; readonly to: number; readonly length: number };

/** A limit that a document may leave open, and how far a range goes towards it. */
type Limit = {
  readonly name: string;
  readonly reach: (range: Range) => number;
  /** Returns whether it can be the reason for refusing a range at all; `now` is the target's time. */
  readonly concerns: (range: Range, now: number) => boolean;
};

/** Limits of one interval, since targets may limit each differently. In one interval, a limit of rows is one of width. */
const limits: readonly Limit[] = [
  { name: 'rows', reach: ({ from, to }) => to - from, concerns: ({ from, to }) => to > from },
  { name: 'age', reach: ({ from }) => -from, concerns: () => true },
  { name: 'future', reach: ({ to }) => to, concerns: ({ to }, now) => to > now - dateLagSeconds },
  {
    name: 'shortness',
    reach: ({ from, to }) => from - to,
    concerns: ({ from, to, length }) => to - from < length,
  },
];

/** Rows that every limit leaves room for. */
const shortRows = 24;

/** The limits that may explain a refused range, or else the answers that rule out each of them. */
export type Excuse =
  | { readonly limits: readonly string[] }
  | { readonly refutedBy: readonly HistoryAnswer[] };

/**
 * Finds the limits that explain why a range was refused: each that no answer of the run, to any pool in the same interval,
 * reaches as far.
 */
export function findExcuse(refused: Answer & { readonly requested: Requested }, evidence: Evidence): Excuse {
  const { from = 0, to = 0, length = 0, operation } = refused.requested;
  const range = { from, to, length };
  const now = refused.serverNow ?? Date.parse(refused.exchange.startedAt) / 1000;
  // A service may refuse a range without rows instead of answering an empty list.
  if (refused.requested.prehistoric || liesAhead(refused.requested, now)) return { limits: ['emptiness'] };
  const ofOperation = evidence.histories.filter(({ requested }) => requested.operation === operation);
  const ofInterval = ofOperation.filter(({ requested }) => requested.length === length);
  // A limit of one interval leaves its short ranges, and 404 is no word for one: those of others are the measure then.
  const isBeyondLimits = to - from <= shortRows * length || refused.status === 404;
  const answered = ofInterval.length === 0 && isBeyondLimits ? ofOperation : ofInterval;
  const concerned = limits.filter(({ concerns }) => concerns(range, now));
  const refuting = concerned.map(({ name, reach }) => ({
    name,
    by: answered.filter((answer) => reach(answer.requested) >= reach(range)),
  }));
  const open = refuting.filter(({ by }) => by.length === 0);
  if (open.length > 0) return { limits: open.map(({ name }) => name) };
  const whole = answered.find((answer) => refuting.every(({ by }) => by.includes(answer)));
  return { refutedBy: whole ? [whole] : [...new Set(refuting.flatMap(({ by }) => by.slice(0, 1)))] };
}

/** Words the requests of answers. */
export function describeRanges(answers: readonly HistoryAnswer[]): string {
  return answers.map(describeRequest).join(' and ');
}

function describeRequest({ requested: { interval, inverted, from, to } }: HistoryAnswer): string {
  return `${interval}${inverted ? ' inverted' : ''} from ${stamp(from)} to ${stamp(to)}`;
}
