import type { Response, ResponseBody } from 'k6/http';
import type { QuotaHeaders } from '../contract/document/roles.ts';
import type { Exchange, HeaderLine } from '../contract/reading/exchange.ts';
import { type Quota, readQuota } from '../contract/reading/quota.ts';
import type { LoadOutcome } from './counters.ts';

type Answer = Pick<Response, 'status' | 'status_text' | 'proto' | 'headers' | 'error_code' | 'timings'> & {
  readonly body?: ResponseBody | undefined;
};

/** k6's error code of a request that timed out. */
const timedOut = 1050;

/** Classifies the outcome of a request; `additional` is the number of requests beyond the key's quota. */
export function classifyOutcome(
  { status, error_code }: Pick<Answer, 'status' | 'error_code'>,
  additional: number,
): LoadOutcome {
  if (error_code === timedOut) return 'timeout';
  if (status === 0 || (error_code >= 1000 && error_code < 1400)) return 'connection';
  if (status === 200) return additional > 0 ? 'overage' : 'ok';
  if (status === 429) return 'limited';
  return status >= 500 ? 'server-error' : 'refused';
}

/** Returns the header lines; k6 joins lines of the same name. */
function headerLines({ headers }: Pick<Answer, 'headers'>): HeaderLine[] {
  return Object.entries(headers);
}

/** Reads the quota headers of an answer. */
export function readAnswerQuota(names: QuotaHeaders, answer: Pick<Answer, 'headers'>): Quota {
  return readQuota(names, headerLines(answer));
}

/** Returns an answer as an exchange for the rules. Contains the key only if the target repeated it. */
export function makeExchange(url: string, begun: number, answer: Answer, isKeyed: boolean): Exchange {
  const { status, status_text, proto, timings, body } = answer;
  return {
    request: { method: 'GET', url, headers: [], credential: isKeyed ? 'api-key' : 'none' },
    response: {
      status,
      statusText: status_text.replace(/^\d+ /, ''),
      httpVersion: proto,
      headers: headerLines(answer),
      ...(typeof body === 'string' && { body: { text: body, encoding: 'utf8' } }),
    },
    timings: { wait: timings.waiting, receive: timings.receiving, total: timings.duration },
    startedAt: new Date(begun).toISOString(),
  };
}
