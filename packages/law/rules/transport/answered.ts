import { headerValues } from '../../reading/exchange.ts';
import type { Answer, CandleAnswer } from '../../reading/reading.ts';
import { shorten } from '../../reading/words.ts';
import type { Evidence } from '../../relations/evidence.ts';
import {
  type DueAnswer,
  type EqualRequests,
  endOfTry,
  groupProperRequests,
  isAnswered,
  refusesKey,
} from '../../relations/proper-requests.ts';
import type { Breach } from '../breach.ts';
import { isOutsideApi, outsideApi } from '../gateway.ts';
import type { CheckOutcome } from '../rule.ts';
import { findFirstTries, isGivenUp } from './first-tries.ts';
import { failedSentence, refusedSentence } from './first-tries-words.ts';
import { findLockedOut } from './locked-out.ts';
import { describeRanges, findExcuse } from './range-limits.ts';

/** Refusals of proper requests from which on they are no accident. */
const leastRefused = 2;

/** The reason for leaving refusals undecided that only wrong keys brought about. */
const lockedOut = 'proper requests were refused after wrong keys: a lock-out';

/** A failure may pass: it counts when every attempt failed, or when too many fail at first. So does a refusal. */
export function* checkAnswered(evidence: Evidence): Generator<CheckOutcome> {
  const sentences = wordUnsteady(evidence);
  if (findLockedOut(evidence).size > 0) yield { undecided: lockedOut, dead: true };
  for (const group of groupProperRequests(evidence)) {
    const { tries } = group;
    const unsteady = tries.filter((answer) => sentences.has(answer));
    const answered = tries.findLast(isAnswered);
    for (const answer of unsteady) yield { breach: unsteadyBreach(answer, tries, sentences.get(answer)) };
    if (answered?.success) yield { judged: answered };
    else if (!answered && unsteady.length === 0) yield judgeUnanswered(group, evidence);
  }
}

/** Returns the sentence for each try that was not answered, where these are too many for chance. */
function wordUnsteady(evidence: Evidence): ReadonlyMap<Answer, string> {
  const { requests, tooMany, refused } = findFirstTries(evidence);
  const counted = refused.length >= leastRefused ? refused : [];
  const [ofFailed, ofRefused] = [failedSentence(tooMany, requests), refusedSentence(counted)];
  return new Map([
    ...tooMany.map((answer) => [answer, ofFailed] as const),
    ...counted.map((answer) => [answer, ofRefused] as const),
  ]);
}

/** Makes the breach of a try that was not answered, though the same request or others like it were. */
export function unsteadyBreach(answer: Answer, tries: readonly Answer[], sentence?: string): Breach {
  const also = tries.some(isAnswered) ? 'the same request was answered too' : 'others like it were answered';
  return { ...unansweredBreach(answer, also), ...(sentence !== undefined && { sentence }) };
}

/** Judges a request that was never answered, by its last try. */
function judgeUnanswered(group: EqualRequests, evidence: Evidence): CheckOutcome {
  const answer = group.tries.at(-1) as DueAnswer;
  const { status = 0, requested } = answer;
  const end = endOfTry(answer);
  if (refusesKey(answer)) return { undecided: `the key was refused (${status})` };
  if (end === 'limited') return { undecided: 'the quota or the rate limit refused the request (429)' };
  if (end === 'failed') {
    if (isGivenUp(group, evidence)) return { breach: unansweredBreach(answer) };
    return { undecided: 'no complete answer, and too few attempts to blame the target' };
  }
  if (isOutsideApi(answer, evidence)) return { undecided: outsideApi };
  const ofPool = evidence.candleAnswers.filter((candleAnswer) => isSamePool(candleAnswer, answer));
  if (status === 404 && requested.pool !== undefined && ofPool.length === 0) {
    return { undecided: `pool ${requested.pool} is not known to the target (404)` };
  }
  if (status >= 400 && requested.role === 'history') {
    const excuse = findExcuse(answer, evidence);
    if ('refutedBy' in excuse)
      return { breach: unansweredBreach(answer, `answered for ${describeRanges(excuse.refutedBy)}`) };
    return { undecided: `this range was refused (${status}); the document leaves limits of range open` };
  }
  return { breach: unansweredBreach(answer) };
}

function isSamePool({ requested: one }: CandleAnswer, { requested: other }: DueAnswer): boolean {
  return one.operation === other.operation && one.pool === other.pool;
}

function describeRedirect({ headers = [] }: Answer): string {
  const [location] = headerValues(headers, 'location');
  return location === undefined ? '' : `, which leads to ${shorten(location)}`;
}

function unansweredBreach(answer: Answer, butAnswered?: string): Breach {
  const { failure } = answer.exchange;
  const ended = failure
    ? `${failure.kind} in phase ${failure.phase}: ${failure.message}`
    : (answer.refusal?.text ?? `status ${answer.status}${describeRedirect(answer)}`);
  const actual = butAnswered === undefined ? ended : `${ended}; ${butAnswered}`;
  return { answer, pointer: 'status', expected: 'a complete answer with status 200', actual };
}
