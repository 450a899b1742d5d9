import type { PassedExchange } from '../traffic-observer.ts';

const now = Date.now();

/** Returns a passed list of tokens, `at` ms after the first one. */
export function passedTokens(
  text: string,
  at: number,
  changes: Partial<PassedExchange> = {},
): PassedExchange {
  return {
    method: 'GET',
    path: '/tokens',
    requestLines: ['X-API-Key', '0123456789abcdef0123456789abcdef'],
    status: 200,
    statusText: 'OK',
    httpVersion: 'HTTP/1.1',
    responseLines: [
      ...['content-type', 'application/json', 'date', new Date(now).toUTCString()],
      ...['content-length', String(Buffer.byteLength(text))],
    ],
    body: new Uint8Array(Buffer.from(text)),
    span: { startedAt: now + at, totalMs: 1 },
    ...changes,
  };
}
