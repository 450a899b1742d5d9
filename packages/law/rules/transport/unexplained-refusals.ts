import { headerValues, refusesRange } from '../../reading/exchange.ts';
import { oncePer } from '../../reading/once.ts';
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
function isKeyAccepted({ index, requested, exchange }: DueAnswer, evidence: Evidence): boolean {
  const served = findServed(evidence).get(exchange.request.credential);
  return served !== undefined && served.last > index && served.operations.has(requested.operation);
}

/** The last success of a key, and the operations that were answered with it. */
type Served = { last: number; readonly operations: Set<string | undefined> };

const findServed = oncePer(({ answers }: Evidence): ReadonlyMap<string, Served> => {
  const keys = new Map<string, Served>();
  for (const { entitled, success, index, requested, exchange } of answers) {
    if (!entitled || !success) continue;
    const { credential } = exchange.request;
    const served = keys.get(credential) ?? { last: index, operations: new Set() };
    keys.set(credential, served);
    served.last = index;
    served.operations.add(requested?.operation);
  }
  return keys;
});

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
