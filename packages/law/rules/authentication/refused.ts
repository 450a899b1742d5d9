import type { Answer } from '../../reading/reading.ts';
import type { Breach } from '../breach.ts';
import type { CheckOutcome } from '../rule.ts';
import { isPage } from '../transport/page.ts';

/** Words for a request that must be refused, and the breach if it is not. */
type Tried = Pick<Breach, 'expected' | 'actual'> & { readonly request: string };

/**
 * Checks requests for one thing that must be refused. A service that guards against guessing may refuse with any status,
 * or be down for a while; but a rate limit or a broken connection, alone, shows no refusal: the target withholds it. So
 * does a page that something before the API answers with.
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
      const undecided = isPage(answer)
        ? `a page, not the API, answered ${request} (status ${status})`
        : `${request} ended in ${complete ? status : exchange.failure?.kind}`;
      yield { undecided, ...(!isShown && { silent: true }) };
    }
  }
}

function isTelling(answer: Answer): boolean {
  const { complete, status = 0 } = answer;
  return complete && status < 500 && !isPage(answer);
}
