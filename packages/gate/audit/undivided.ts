import { requireOperation } from '@candleproof/document/spec/operation';
import { rungSeconds } from '@candleproof/document/spec/roles';
import type { Spec } from '@candleproof/document/spec/spec';
import type { FailureKind } from '@candleproof/law/reading/exchange';
import { type Answer, type HistoryAnswer, isCandleAnswer } from '@candleproof/law/reading/reading';
import type { Conventions } from '@candleproof/law/relations/conventions';
import { wantedStarts } from '@candleproof/law/relations/timeline';
import { type AuditPart, halve } from './part.ts';

/** A part that was not divided any further, with its answer. */
export type Undivided = { readonly part: AuditPart; readonly state: ReadState; readonly answer?: Answer };

export type SweepState = {
  readonly spec: Spec;
  readonly answerTo: (part: AuditPart) => Answer | undefined;
  readonly conventions: Conventions;
};

/**
 * Lists the undivided parts of a part: the rows of a cut answer and the rest, or the halves of a refused part. Pure:
 * the next request depends only on the answers so far.
 */
export function listUndivided(part: AuditPart, known: SweepState, cutAt?: number): Undivided[] {
  const answer = known.answerTo(part);
  const state = judgeRead(answer, known.conventions, { depth: part.depth, cutAt });
  const one: Undivided = { part, state, ...(answer && { answer }) };
  const [first, last] = [answer?.inTime[0], answer?.inTime.at(-1)];
  if (state === 'cut' && first && last) {
    const { held, rest } = divide(part, first.start, last.start, known);
    if (rest.length === 0) return [one];
    const kept: Undivided = { ...one, part: held, state: 'whole' };
    return [kept, ...rest.flatMap((auditPart) => listUndivided(auditPart, known, answer?.inTime.length))];
  }
  if (state !== 'cut' && state !== 'refused') return [one];
  const halves = halve(known.spec, part);
  return halves.length === 0 ? [one] : halves.flatMap((auditPart) => listUndivided(auditPart, known, cutAt));
}

/** Returns the next part to request: the first of the widest that remain, so that every pool comes before halves. */
export function nextPart(wholes: readonly AuditPart[], known: SweepState): AuditPart | undefined {
  const open = wholes
    .flatMap((whole) => listUndivided(whole, known))
    .flatMap(({ part, state }) => (state === 'unrequested' ? [part] : []));
  const depth = Math.min(...open.map((auditPart) => auditPart.depth));
  return open.find((auditPart) => auditPart.depth === depth);
}

/** Divides a part into `held`, with the rows between two starts, and the rest on both sides, each sharing one row. */
function divide(
  part: AuditPart,
  first: number,
  last: number,
  { spec, conventions: { alive } }: SweepState,
): { held: AuditPart; rest: AuditPart[] } {
  const length = rungSeconds(spec.rungs, part.interval);
  const born = alive.get(`${requireOperation(spec, 'history').id} ${part.pool}`) ?? part.from;
  const isFront = first - length > Math.max(part.from, born);
  const isBack = last + 2 * length < part.to;
  const held = {
    ...part,
    ...(isFront && { from: first - 1 }),
    ...(isBack && { to: last + length + 1 }),
  };
  const depth = part.depth + 1;
  const rest = [
    ...(isFront ? [{ ...part, depth, to: first + length + 1 }] : []),
    ...(isBack ? [{ ...part, depth, from: last - 1 }] : []),
  ];
  // Rows from elsewhere, or one row at a time, lead nowhere.
  return { held, rest: rest.filter(({ from, to }) => to - from < part.to - part.from) };
}

/**
 * The outcome of a part's request. `cut`: fewer rows than the part holds, at one of its edges. `refused`: too much at
 * once, or an answer that never came through: its halves may. `strange`: neither, such as a pool that the target does not know.
 */
type ReadState = 'whole' | 'cut' | 'refused' | 'unreadable' | 'strange' | 'unrequested';

/** Intervals missing at an edge from which an answer may have been cut there: a single one may merely be late. */
const fewestCut = 2;

/** Halvings in which an answer without any row is taken for one that was too large. */
const mostEmpty = 2;

/** The number of times a part was divided, and the rows of the cut answer that it is the rest of. */
type Lineage = { readonly depth: number; readonly cutAt: number | undefined };

/** Returns the outcome of a part's request. */
function judgeRead(answer: Answer | undefined, conventions: Conventions, lineage: Lineage): ReadState {
  if (!answer) return 'unrequested';
  if (isHistory(answer)) {
    if (!isReadable(answer)) return 'unreadable';
    return isCut(answer, conventions, lineage) ? 'cut' : 'whole';
  }
  return isTooMuch(answer) ? 'refused' : 'strange';
}

/** Returns whether a smaller range may avoid a failure, unlike a missing pool, a redirect or a broken encoding. */
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

/** Returns whether an answer was cut off. One that is shorter than a cut one was not: its rows are missing. */
function isCut(answer: HistoryAnswer, conventions: Conventions, { depth, cutAt }: Lineage): boolean {
  const wanted = wantedStarts(answer, { conventions });
  const { inTime } = answer;
  const [first, last] = [inTime[0], inTime.at(-1)];
  if (!wanted || (cutAt !== undefined && inTime.length < cutAt)) return false;
  if (!first || !last) return depth < mostEmpty && wanted.last > wanted.first;
  const lacking = Math.max(first.start - wanted.first, wanted.last - last.start);
  return lacking >= fewestCut * wanted.length;
}
