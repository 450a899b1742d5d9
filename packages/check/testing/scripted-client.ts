import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { Exchange, FailureKind, Phase } from '@candleproof/law/reading/exchange';

export type ScriptedReply =
  | { readonly status: number; readonly body?: string; readonly headers?: [string, string][] }
  | { readonly failure: FailureKind; readonly phase: Phase };

const began = Date.parse('2026-03-11T15:32:20Z');

export const baseUrl = 'https://target.invalid';

/** A client without a socket: answers by a script and remembers what was requested of it. */
export function scriptedClient(answer: (request: SendRequest, count: number) => ScriptedReply) {
  const sent: SendRequest[] = [];
  const send = async (request: SendRequest): Promise<Exchange> => {
    sent.push(request);
    return toExchange(request, answer(request, sent.length), sent.length);
  };
  return { send, sent };
}

function toExchange(sent: SendRequest, reply: ScriptedReply, count: number): Exchange {
  const { path, credential, method = 'GET', headers: lines = [], plainHttp } = sent;
  const origin = plainHttp ? baseUrl.replace('https:', 'http:') : baseUrl;
  const request = { method, url: `${origin}${path}`, headers: lines, credential };
  const rest = { timings: { total: 1 }, startedAt: new Date(began + count * 10).toISOString() };
  if ('failure' in reply) {
    return { request, failure: { kind: reply.failure, phase: reply.phase, message: 'scripted' }, ...rest };
  }
  const { status, body = '', headers = [] } = reply;
  const bytes = Buffer.byteLength(body);
  return {
    request,
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: [['date', 'Wed, 11 Mar 2026 15:32:20 GMT'], ...headers],
      body: { text: body, encoding: 'utf8', decodedBytes: bytes, wireBytes: bytes },
    },
    ...rest,
  };
}
