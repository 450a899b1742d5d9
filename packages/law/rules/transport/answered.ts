import { shorten } from '../../reading/describe.ts';
import { headerValues } from '../../reading/exchange.ts';
import type { Answer, CandleAnswer } from '../../reading/reading.ts';
import type { Requested } from '../../reading/requested.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { requestKey } from '../../relations/series.ts';
import type { Breach } from '../breach.ts';
import { isOutsideApi, outsideApi } from '../gateway.ts';
import type { CheckOutcome } from '../rule.ts';
import { describeRanges, findExcuse, refusesRange } from './range-limits.ts';

/** Attempts at one request, including the first, after which a failure is the target's. */
const attempts = 3;

/** A request to which a success is due. */
type OwedAnswer = Answer & { readonly requested: Requested };

/**
 * A failure may pass: it counts when every attempt failed, often enough, while the target answered others. A refused range
 * counts if other answers rule out every limit.
 */
export function* checkAnswered(evidence: Evidence): Generator<CheckOutcome> {
  const owed = evidence.answers.filter(isOwed);
  const reachable = evidence.answers.some(
    (answer) => answer.complete && !answer.fromCache && (answer.status ?? 500) < 500,
  );
  for (const tries of Map.groupBy(owed, requestKey).values()) {
    const answer = tries.at(-1) as OwedAnswer;
    const refused = tries.find(isRefusedRange);
    if (!tries.some((owedAnswer) => owedAnswer.success))
      yield judgeRefusal({ answer, tries: tries.length, reachable }, evidence);
    else if (refused) yield { breach: unansweredBreach(refused, 'the same request was answered too') };
    else yield { judged: answer };
  }
}

function isOwed(answer: Answer): answer is OwedAnswer {
  return answer.entitled && !answer.fromCache && !isRevalidated(answer);
}

/** Returns whether a status succeeds without a body: 304 to our If-None-Match; the rule of tags judges 412. */
function isRevalidated({ status, exchange }: Answer): boolean {
  return (
    (status === 304 || status === 412) && headerValues(exchange.request.headers, 'if-none-match').length > 0
  );
}

/** Returns whether a request was read and refused, with no code of keys, limits, pools or slow clients. */
function isRefusedRange({ complete, status = 0, requested }: OwedAnswer): boolean {
  return complete && requested.role === 'history' && refusesRange(status);
}

/** A request that was not answered 200, the number of attempts, and whether others were answered meanwhile. */
type Unanswered = {
  readonly answer: OwedAnswer;
  readonly tries: number;
  readonly reachable: boolean;
};

function judgeRefusal({ answer, tries, reachable }: Unanswered, evidence: Evidence): CheckOutcome {
  const { status = 0, requested } = answer;
  if (status === 401 || status === 403) return { undecided: `the key was refused (${status})` };
  if (status === 429) return { undecided: 'the quota or the rate limit refused the request (429)' };
  if (!answer.complete || status >= 500) {
    if (tries >= attempts && reachable) return { breach: unansweredBreach(answer) };
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

function isSamePool({ requested: one }: CandleAnswer, { requested: other }: OwedAnswer): boolean {
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
