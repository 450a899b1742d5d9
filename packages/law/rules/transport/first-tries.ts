import { type FailureKind, headerValues, isLoopback } from '../../reading/exchange.ts';
import { oncePer } from '../../reading/once.ts';
import type { Answer } from '../../reading/reading.ts';
import { mostFailing } from '../../reading/tolerances.ts';
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

/** Tries at one request, the first included, after which its failure is the target's. */
const attempts = 3;

/** The first tries of proper requests that failed, and the proper requests that were refused, as far as neither is due. */
export type FirstTries = {
  /** Proper requests in all. */
  readonly requests: number;
  /** Failed first tries of operations that answered others; requests that all attempts leave unanswered are no part of it. */
  readonly failed: readonly DueAnswer[];
  /** Those of them that are too many for chance, and nothing but the target's. */
  readonly tooMany: readonly DueAnswer[];
  /** Refusals without a reason: the same request was answered too, or others of its operation with the same key. */
  readonly refused: readonly DueAnswer[];
};

/** Finds what was not answered at first. */
export const findFirstTries = oncePer((evidence: Evidence): FirstTries => {
  const groups = groupProperRequests(evidence);
  const requests = groups.flatMap((group) => group.requests);
  const served = new Set(
    evidence.answers.flatMap((answer) =>
      answer.entitled && answer.success ? (answer.requested?.operation ?? []) : [],
    ),
  );
  const failed = groups
    .filter((group) => !isGivenUp(group, evidence))
    .flatMap((group) => group.requests.map(({ tries: [first] }) => first))
    .filter((first) => isTransientFailure(first) && served.has(first.requested.operation));
  const isHere = isLoopback(evidence.target.baseUrl);
  const ofTarget = failed.filter((answer) => isHere || !mayBeOfNetwork(answer));
  const isTooMany =
    ofTarget.length >= mostFailing.least && ofTarget.length > mostFailing.share * requests.length;
  return {
    requests: requests.length,
    failed,
    tooMany: isTooMany ? ofTarget : [],
    refused: groups.flatMap((group) => findRefused(group, evidence)),
  };
});

const isReachable = oncePer(({ answers }: Evidence): boolean =>
  answers.some(({ complete, fromCache, status = 500 }) => complete && !fromCache && status < 500),
);

/** Returns whether every attempt at a request failed, often enough to blame the target, which answered others. */
export function isGivenUp({ tries }: EqualRequests, evidence: Evidence): boolean {
  const last = tries.at(-1);
  const isFailing = last !== undefined && endOfTry(last) === 'failed' && !tries.some(isAnswered);
  return isFailing && tries.length >= attempts && isReachable(evidence);
}

/** A try that was not answered; `isOnce` if the same request was answered at another time, and only once. */
type Unanswered = { readonly answer: DueAnswer; readonly isOnce: boolean };

/**
 * Lists the last try of each proper request that was never answered, and of each that was answered only once though it was
 * sent again. A refusal is one only of the key, or of what was answered too: limits of ranges are left open.
 */
export function listUnanswered(evidence: Evidence): Unanswered[] {
  return groupProperRequests(evidence).flatMap(({ tries, requests }) => {
    const answered = requests.filter((request) => request.tries.some(isAnswered)).length;
    const last = tries.findLast((answer) => !isAnswered(answer));
    if (!last || answered > 1) return [];
    const isOpen = answered === 0 && endOfTry(last) !== 'failed' && !refusesKey(last);
    return isOpen ? [] : [{ answer: last, isOnce: answered === 1 }];
  });
}

/** Failures that another attempt does not mend: too much for us to read, and no certificate to trust. */
const lasting: readonly (FailureKind | undefined)[] = ['too-large', 'certificate'];

function isTransientFailure(answer: Answer): boolean {
  return endOfTry(answer) === 'failed' && !lasting.includes(answer.exchange.failure?.kind);
}

/** Failures that the network between us and the target may cause. */
const ofNetwork: readonly (FailureKind | undefined)[] = ['unreachable', 'refused', 'reset', 'timeout'];

function mayBeOfNetwork({ exchange }: Answer): boolean {
  return ofNetwork.includes(exchange.failure?.kind);
}

/**
 * Lists the refusals of equal requests that nothing explains. A refused key counts only if it was accepted before and
 * after: otherwise it may have been revoked, spent or locked out. Recordings of others may hold several keys.
 */
function findRefused({ tries }: EqualRequests, evidence: Evidence): DueAnswer[] {
  const isServed = tries.some(isAnswered);
  const lockedOut = findLockedOut(evidence);
  return tries.filter((answer) => {
    if (endOfTry(answer) !== 'refused' || answer.exchange.request.credential === 'unknown') return false;
    if (lockedOut.has(answer) || isOfManner(answer, tries, evidence)) return false;
    return refusesKey(answer) ? isKeyAccepted(answer, evidence) : isServed;
  });
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
