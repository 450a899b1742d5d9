import { parseBaseUrl } from '@candleproof/client/send/base-url';
import { keyedPath, keyFor, requestLines, type SendRequest } from '@candleproof/client/send/request-lines';
import { type Body, type Exchange, headerValues, type TargetFacts } from '@candleproof/law/reading/exchange';
import type { ApiRequest, Reply } from '@candleproof/reference-service/api/message';
import type { Rig } from '@candleproof/reference-service/testing/rig';

/** A request as the service receives it, and as the client records it. */
export type Posed = { readonly received: ApiRequest; readonly request: Exchange['request'] };

const base = parseBaseUrl('https://127.0.0.1:8443');

/** Describes a service in memory as a target; nothing listens at its address. */
export function describeRig({ store }: Pick<Rig, 'store'>): TargetFacts {
  const pools = (wanted: string): number[] =>
    store.facts.pools().flatMap(({ generation, id }) => (generation === wanted ? [id] : []));
  return {
    ...{ name: 'local', baseUrl: base.origin, keyless: false, soleUser: true },
    pools: { v1: pools('v1'), v2: pools('v2') },
  };
}

/** Returns the request that a client with this key would send at this time (Unix ms). */
export function pose(send: SendRequest, apiKey: string, now: number): Posed {
  const { method = 'GET', credential, plainHttp = false } = send;
  const key = keyFor(send, apiKey);
  const target = keyedPath(send, key, {});
  const headers = requestLines(send, key, base, { version: 'proof' });
  const origin = plainHttp ? base.origin.replace('https:', 'http:') : base.origin;
  // Like the parser of HTTP, which joins repeated lines and drops blanks around them.
  const keys = headerValues(headers, 'x-api-key').map((text) => text.trim());
  return {
    received: {
      ...{ method, target, now, client: '127.0.0.1', plain: plainHttp },
      apiKey: keys.length === 0 ? undefined : keys.join(','),
      ifNoneMatch: headerValues(headers, 'if-none-match')[0],
    },
    request: { method, url: `${origin}${target}`, headers, credential },
  };
}

/** The longest wait for a body, and the milliseconds that any answer takes. */
const mostWaitMs = 3000;
const leastMs = 10;

/** Returns the exchange that a client would record. */
export function receive({ request, received }: Posed, reply: Reply): Exchange {
  const { status, headers, delivery: { wait = 0 } = {} } = reply;
  const whole = request.method === 'HEAD' ? '' : String(reply.body);
  const failure = findFailure(reply);
  const text =
    failure?.kind === 'truncated' ? whole.slice(0, reply.delivery?.cutAfter) : failure ? '' : whole;
  const bytes = Buffer.byteLength(text);
  const body: Body = { text, encoding: 'utf8', decodedBytes: bytes, wireBytes: bytes };
  const length = ['Content-Length', String(Buffer.byteLength(String(reply.body)))] as const;
  const lines = status === 204 || status === 304 ? headers : [...headers, length];
  return {
    request,
    response: { status, statusText: '', httpVersion: 'HTTP/1.1', headers: lines, body },
    ...(failure && { failure: { phase: 'receive', message: 'the body cannot be read', ...failure } }),
    timings: { total: leastMs + wait },
    startedAt: new Date(received.now).toISOString(),
  };
}

function findFailure({
  headers,
  delivery = {},
}: Reply): Pick<NonNullable<Exchange['failure']>, 'kind'> | undefined {
  if ((delivery.bodyWait ?? 0) > mostWaitMs) return { kind: 'timeout' };
  if (delivery.cutAfter !== undefined) return { kind: 'truncated' };
  return headers.some(([name]) => name === 'Content-Encoding') ? { kind: 'undecodable' } : undefined;
}
