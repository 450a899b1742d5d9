import type { Response, ResponseBody } from 'k6/http';
import type { QuotaHeaders } from '../contract/document/roles.ts';
import type { Exchange, HeaderLine } from '../contract/reading/exchange.ts';
import { type Quota, readQuota } from '../contract/reading/quota.ts';
import type { LoadOutcome } from './counters.ts';

type Answer = Pick<Response, 'status' | 'status_text' | 'proto' | 'headers' | 'error_code' | 'timings'> & {
  readonly body?: ResponseBody | undefined;
};

/** k6's code of a request that outlasted its time. */
const timedOut = 1050;

export function outcomeOf(
  { status, error_code }: Pick<Answer, 'status' | 'error_code'>,
  additional: number,
): LoadOutcome {
  if (error_code === timedOut) return 'timeout';
  if (status === 0 || (error_code >= 1000 && error_code < 1400)) return 'connection';
  if (status === 200) return additional > 0 ? 'overage' : 'ok';
  if (status === 429) return 'limited';
  return status >= 500 ? 'server-error' : 'refused';
}

/** k6 joins the lines of one name. */
export function linesOf({ headers }: Pick<Answer, 'headers'>): HeaderLine[] {
  return Object.entries(headers);
}

export function quotaIn(names: QuotaHeaders, answer: Pick<Answer, 'headers'>): Quota {
  return readQuota(names, linesOf(answer));
}

/** An answer as the law reads it; the key is not in it, unless the target reported it. */
export function exchangeOf(url: string, begun: number, answer: Answer, isKeyed: boolean): Exchange {
  const { status, status_text, proto, timings, body } = answer;
  return {
    request: { method: 'GET', url, headers: [], credential: isKeyed ? 'api-key' : 'none' },
    response: {
      status,
      statusText: status_text.replace(/^\d+ /, ''),
      httpVersion: proto,
      headers: linesOf(answer),
      ...(typeof body === 'string' && { body: { text: body, encoding: 'utf8' } }),
    },
    timings: { wait: timings.waiting, receive: timings.receiving, total: timings.duration },
    startedAt: new Date(begun).toISOString(),
  };
}
