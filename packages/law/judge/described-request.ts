import { type HeaderLine, headerValues } from '../reading/exchange.ts';
import type { Answer } from '../reading/reading.ts';
import { isSameRequest } from '../relations/series.ts';
import type { FindingRequest } from './verdict.ts';

/** Headers that every request of ours has, or that a finding names otherwise. */
const ordinaryHeaders: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'accept', 'accept-encoding', 'user-agent', 'if-none-match'],
  ...['accept-language', 'content-type'],
]);

/** Headers that change nothing about what is requested and that a run varies, with the values that most requests have. */
const usualHeaders = [
  ['user-agent', /^Candleproof/],
  ['accept', /^application\/json$/],
  ['accept-language', /^$/],
  ['accept-encoding', /^gzip, br$/],
] as const;

/** Returns the request of an example, with the headers in which it differs from most requests. */
export function describeRequest({ exchange: { request, recorder } }: Answer): FindingRequest {
  const { method, url, body, credential, headers } = request;
  const [ifNoneMatch] = headerValues(headers, 'if-none-match');
  const varied = recorder || headers.length === 0 ? [] : listVaried(headers);
  // A request without a key may have been let in for another header.
  const others = headers.filter(([name]) => !ordinaryHeaders.has(name.toLowerCase()));
  if (!recorder && credential === 'none') varied.push(...others);
  return {
    method,
    url,
    ...(body !== undefined && { body }),
    credential,
    ifNoneMatch,
    ...(varied.length > 0 && { headers: varied }),
  };
}

function listVaried(headers: readonly HeaderLine[]): HeaderLine[] {
  return usualHeaders.flatMap(([name, usual]) => {
    const value = headerValues(headers, name).join();
    return usual.test(value) ? [] : [[name, value] as const];
  });
}

/** Returns whether two answers are to equal requests with equal headers. */
export function isSameManner(a: Answer, b: Answer): boolean {
  const [one, other] = [a, b].map(({ exchange: { request } }) =>
    usualHeaders.map(([name]) => headerValues(request.headers, name).join()).join('\n'),
  );
  return isSameRequest(a, b) && one === other;
}
