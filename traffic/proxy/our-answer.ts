import { type ServerResponse, STATUS_CODES } from 'node:http';

/** What answers in the place of the upstream says of itself. */
const via = '1.1 candleproof';

/** An answer that is ours and none of the upstream's: `Via` and a problem body (RFC 9457) say so. */
export function answerOurselves(response: ServerResponse, status: 400 | 502 | 504, detail: string): void {
  const title = STATUS_CODES[status] ?? '';
  const body = `${JSON.stringify({ type: 'about:blank', title, status, detail })}\n`;
  response.sendDate = true;
  response.writeHead(status, title, [
    ...['Via', via],
    ...['Content-Type', 'application/problem+json'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Cache-Control', 'no-store'],
  ]);
  response.end(body);
}
