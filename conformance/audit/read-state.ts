import { wantedStarts } from '../../contract/law/history/completeness.ts';
import type { FailureKind } from '../../contract/reading/exchange.ts';
import { type Answer, type HistoryAnswer, isCandleAnswer } from '../../contract/reading/reading.ts';
import type { Conventions } from '../../contract/relations/conventions.ts';

/**
 * The outcome of a part's request. `cut`: fewer rows than the part holds, at one of its edges. `refused`: too much at
 * once, or an answer that never came through: its halves may. `strange`: neither, such as a pool that the target does not know.
 */
export type ReadState = 'whole' | 'cut' | 'refused' | 'unreadable' | 'strange' | 'unrequested';

/** Intervals missing at an edge from which an answer may have been cut there: a single one may merely be late. */
const fewestCut = 2;

/** Halvings in which an answer without any row is taken for one that was too large. */
const mostEmpty = 2;

/** The number of times a part was divided, and the rows of the cut answer that it is the rest of. */
export type Lineage = { readonly depth: number; readonly cutAt: number | undefined };

/** Returns the outcome of a part's request. */
export function judgeRead(answer: Answer | undefined, conventions: Conventions, lineage: Lineage): ReadState {
  if (!answer) return 'unrequested';
  if (isHistory(answer)) {
    if (!isReadable(answer)) return 'unreadable';
    return isCut(answer, conventions, lineage) ? 'cut' : 'whole';
  }
  return isTooMuch(answer) ? 'refused' : 'strange';
}

/** Failures that less of the same may not have; a pool that is not there, a redirect or a broken encoding stay. */
const ofSize: readonly FailureKind[] = ['timeout', 'reset', 'truncated', 'too-large'];

function isTooMuch({ exchange: { failure }, status = 0 }: Answer): boolean {
  return failure ? ofSize.includes(failure.kind) : status >= 400 && status !== 404;
}

/** Its rows can be placed in time, and how much of them is over. */
function isReadable({ broken, isList, serverNow, candles }: HistoryAnswer): boolean {
  if (broken !== undefined || !isList || serverNow === undefined) return false;
  return candles.every(({ start }) => !Number.isNaN(start));
}

/** Returns whether an answer is that of a history. */
export function isHistory(answer: Answer): answer is HistoryAnswer {
  return isCandleAnswer(answer) && answer.requested.role === 'history';
}

/** A shorter answer than one that was cut was not cut itself: what it lacks is missing. */
function isCut(answer: HistoryAnswer, conventions: Conventions, { depth, cutAt }: Lineage): boolean {
  const wanted = wantedStarts(answer, { conventions });
  const { inTime } = answer;
  const [first, last] = [inTime[0], inTime.at(-1)];
  if (!wanted || (cutAt !== undefined && inTime.length < cutAt)) return false;
  if (!first || !last) return depth < mostEmpty && wanted.last > wanted.first;
  const lacking = Math.max(first.start - wanted.first, wanted.last - last.start);
  return lacking >= fewestCut * wanted.length;
}
