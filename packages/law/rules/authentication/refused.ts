import { type Answer, isMarkup } from '../../reading/reading.ts';
import type { Breach } from '../breach.ts';
import type { CheckOutcome } from '../rule.ts';

/** Words for a request that must be refused, and the breach if it is not. */
type Tried = Pick<Breach, 'expected' | 'actual'> & { readonly request: string };

/**
 * Checks requests for one thing that must be refused. A service that guards against guessing may refuse with any status,
 * or be down for a while; but a rate limit, a broken connection or a page for people with the status of a success, alone,
 * shows no refusal: the target withholds it.
 */
export function* checkRefused(
  tried: readonly Answer[],
  describe: (answer: Answer) => Tried,
): Generator<CheckOutcome> {
  const isShown = tried.some((answer) => isTelling(answer) && answer.status !== 429);
  for (const answer of tried) {
    const { status = 0, complete, exchange } = answer;
    const { request, expected, actual } = describe(answer);
    if (isTelling(answer) && (isShown || status !== 429)) {
      if (status < 200 || status > 299) yield { judged: answer };
      else yield { breach: { answer, pointer: 'status', expected, actual } };
    } else if (complete || !isShown) {
      const undecided = isPageOfSuccess(answer)
        ? `a page, not the API, answered ${request} (status ${status})`
        : `${request} ended in ${complete ? status : exchange.failure?.kind}`;
      yield { undecided, ...(!isShown && { silent: true }) };
    }
  }
}

/** Returns whether an answer shows if it lets a request in. */
function isTelling(answer: Answer): boolean {
  return answer.complete && (answer.status ?? 0) < 500 && !isPageOfSuccess(answer);
}

/** Returns whether a page for people came as a success, such as a check for robots: the rules of successes report it. */
function isPageOfSuccess({ status = 0, body }: Answer): boolean {
  return status >= 200 && status <= 299 && isMarkup(body);
}
