import { type FailureKind, isLoopback } from '../../reading/exchange.ts';
import { oncePer } from '../../reading/once.ts';
import type { Answer } from '../../reading/reading.ts';
import { maxFailing } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import {
  type DueAnswer,
  type EqualRequests,
  endOfTry,
  groupProperRequests,
  isAnswered,
  refusesKey,
} from '../../relations/proper-requests.ts';
import { listUnexplainedRefusals } from './unexplained-refusals.ts';

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
    ofTarget.length >= maxFailing.least && ofTarget.length > maxFailing.share * requests.length;
  return {
    requests: requests.length,
    failed,
    tooMany: isTooMany ? ofTarget : [],
    refused: listUnexplainedRefusals(evidence),
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

/** A try that was not answered; `isServed` if the same request was answered at another time. */
type Unanswered = { readonly answer: DueAnswer; readonly isServed: boolean };

/**
 * Lists the last failed or refused try of each proper request. A refusal is one only of the key, or of what was answered
 * too: limits of ranges are left open.
 */
export function listUnanswered(evidence: Evidence): Unanswered[] {
  return groupProperRequests(evidence).flatMap(({ tries }) => {
    const isServed = tries.some(isAnswered);
    const last = tries.findLast((answer) => !isAnswered(answer));
    const isOpen = !isServed && last && endOfTry(last) !== 'failed' && !refusesKey(last);
    return !last || isOpen ? [] : [{ answer: last, isServed }];
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
