import { headerValues } from '../reading/exchange.ts';
import { oncePer } from '../reading/once.ts';
import type { Answer } from '../reading/reading.ts';
import type { Requested } from '../reading/requested.ts';
import type { Evidence } from './evidence.ts';
import { requestKey } from './series.ts';

/** The end of a proper request, to which a success is due. */
export type DueAnswer = Answer & { readonly requested: Requested };

/**
 * A proper request with its tries: the first, and those that followed because none was answered. What is requested again
 * after it was answered is another request.
 */
export type RequestTries = { readonly tries: readonly [DueAnswer, ...DueAnswer[]] };

/** All tries of equal proper requests, and the requests that they make up. */
export type EqualRequests = {
  readonly tries: readonly [DueAnswer, ...DueAnswer[]];
  readonly requests: readonly RequestTries[];
};

/** Groups the proper requests of a recording, equal ones together. */
export const groupProperRequests = oncePer(({ answers }: Evidence): readonly EqualRequests[] =>
  [...Map.groupBy(answers.filter(isDue), requestKey).values()].map((all) => {
    const tries = all as [DueAnswer, ...DueAnswer[]];
    return { tries, requests: splitRequests(tries) };
  }),
);

function splitRequests(tries: readonly DueAnswer[]): RequestTries[] {
  const requests: [DueAnswer, ...DueAnswer[]][] = [];
  let isLast = true;
  for (const answer of tries) {
    if (isLast) requests.push([answer]);
    else requests.at(-1)?.push(answer);
    isLast = isAnswered(answer);
  }
  return requests.map((all) => ({ tries: all }));
}

function isDue(answer: Answer): answer is DueAnswer {
  return answer.entitled && !answer.fromCache;
}

/** Returns whether a status succeeds without a body: 304 to our If-None-Match; the rule of tags judges 412. */
function isRevalidated({ status, exchange }: Answer): boolean {
  return (
    (status === 304 || status === 412) && headerValues(exchange.request.headers, 'if-none-match').length > 0
  );
}

/**
 * The end of a try. `answered`: a success, or that nothing changed. `failed`: no whole answer, or an error of the server. `limited`: the quota or a rate limit refused it.
 * `refused`: any other answer than a success, 501 among them, which is no trouble of a moment.
 */
export type TryEnd = 'answered' | 'failed' | 'limited' | 'refused';

/** Returns how a try ended. */
export function endOfTry(answer: Answer): TryEnd {
  const { complete, status = 0, success } = answer;
  if (success || isRevalidated(answer)) return 'answered';
  if (!complete || (status >= 500 && status !== 501)) return 'failed';
  return status === 429 ? 'limited' : 'refused';
}

/** Returns whether a try was answered. */
export function isAnswered(answer: Answer): boolean {
  return endOfTry(answer) === 'answered';
}

/** Returns whether the answer refuses the key: 401 or 403. */
export function refusesKey({ complete, status }: Answer): boolean {
  return complete && (status === 401 || status === 403);
}
