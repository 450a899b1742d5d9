import { headerValues } from '../../reading/exchange.ts';
import type { Answer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import {
  type DueAnswer,
  type EqualRequests,
  endOfTry,
  groupProperRequests,
  isAnswered,
  refusesKey,
} from '../../relations/proper-requests.ts';
import { findLockedOut } from './locked-out.ts';
import { refusesRange } from './range-limits.ts';

/**
 * Lists the refusals of proper requests that nothing explains. If a range was refused and answered too, no limit explains
 * those that were refused in the same way either.
 */
export function listUnexplainedRefusals(evidence: Evidence): DueAnswer[] {
  const groups = groupProperRequests(evidence);
  const refused = groups.flatMap((group) => findRefused(group, evidence));
  const statuses = new Set(refused.filter(isRefusedRange).map(({ status }) => status));
  const doubtful = groups
    .filter(({ tries }) => !tries.some(isAnswered))
    .flatMap(({ tries }) => tries.filter((answer) => isRefusedRange(answer) && statuses.has(answer.status)));
  return [...refused, ...doubtful];
}

/**
 * Lists the unexplained refusals of equal requests. A refused key counts only if it was accepted before and
 * after: otherwise it may have been revoked, spent or locked out. Recordings of others may hold several keys.
 */
function findRefused({ tries }: EqualRequests, evidence: Evidence): DueAnswer[] {
  const isServed = tries.some(isAnswered);
  const lockedOut = findLockedOut(evidence);
  return tries.filter((answer) => {
    if (endOfTry(answer) !== 'refused' || answer.exchange.request.credential === 'unknown') return false;
    if (lockedOut.has(answer) || isOfManner(answer, tries, evidence) || wasOfFuture(answer, tries))
      return false;
    return refusesKey(answer) ? isKeyAccepted(answer, evidence) : isServed;
  });
}

/** Returns whether a range was refused that no longer lay in the future when it was answered. */
function wasOfFuture(
  { status = 0, requested, serverNow = 0 }: DueAnswer,
  tries: readonly DueAnswer[],
): boolean {
  const { to = 0 } = requested;
  const isPast = (answer: DueAnswer): boolean => (answer.serverNow ?? 0) >= to;
  return refusesRange(status) && to > serverNow && tries.filter(isAnswered).every(isPast);
}

function isRefusedRange({ complete, status = 0, requested }: DueAnswer): boolean {
  return complete && requested.role === 'history' && refusesRange(status);
}

/** Returns whether the operation of a refusal was answered with the key, and some request after it too. */
function isKeyAccepted(refused: DueAnswer, evidence: Evidence): boolean {
  const { requested, exchange } = refused;
  const { operation } = requested;
  const { credential } = exchange.request;
  const answered = evidence.answers.filter(
    (answer) => answer.entitled && answer.success && answer.exchange.request.credential === credential,
  );
  return (
    answered.some(({ index }) => index > refused.index) &&
    answered.some(({ requested }) => requested?.operation === operation)
  );
}

/** Statuses by which fronts refuse a client or a coding, though the request is proper. */
const ofFronts: readonly (number | undefined)[] = [403, 406];

/**
 * Returns whether a front refused the manner of a request: it was answered with another User-Agent or coding, and nothing
 * of the operation with this one.
 */
function isOfManner(refused: DueAnswer, tries: readonly DueAnswer[], { answers }: Evidence): boolean {
  if (!ofFronts.includes(refused.status)) return false;
  return ['user-agent', 'accept-encoding'].some((name) => {
    const sent = readSent(refused, name);
    const isOther = (answer: Answer): boolean => answer.success && readSent(answer, name) !== sent;
    const isSame = ({ success, entitled, requested }: Answer): boolean =>
      success && entitled && requested?.operation === refused.requested.operation;
    return (
      tries.some(isOther) && !answers.some((answer) => isSame(answer) && readSent(answer, name) === sent)
    );
  });
}

function readSent({ exchange }: Answer, name: string): string {
  return headerValues(exchange.request.headers, name).join();
}
