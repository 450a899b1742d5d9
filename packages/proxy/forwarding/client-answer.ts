import { type InformationEvent, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { pairHeaderLines } from '@candleproof/law/reading/exchange';
import { removeHopByHop } from './hop-by-hop.ts';

/** An answer in place of the upstream's. */
export type OurAnswer = {
  readonly status: 400 | 408 | 413 | 431 | 501 | 502 | 503 | 504;
  readonly detail: string;
  /** The connection ends with it: the start of the next request is unclear, or there are too many clients. */
  readonly isLast?: boolean;
};

/** Seconds after which a rejected client may try again. */
const retrySeconds = 1;

/** Sends an answer that `Via` and a problem body (RFC 9457) mark as ours, not the upstream's. */
export function answerOurselves(response: ServerResponse, answer: OurAnswer): void {
  const { lines, body } = formatAnswer(answer);
  response.sendDate = true;
  response.writeHead(answer.status, STATUS_CODES[answer.status] ?? '', lines);
  response.end(body);
}

/** Answers unreadable input, without a request. Ends the connection. */
export function answerUnread(socket: Socket, answer: Omit<OurAnswer, 'isLast'>): void {
  const { lines, body } = formatAnswer({ ...answer, isLast: true });
  const head = lines.map((line, at) => (at % 2 === 0 ? `${line}: ` : `${line}\r\n`)).join('');
  const end = (): void => void socket.destroy();
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${head}\r\n${body}`, end);
}

/** Aborts an answer; without TLS by a reset, since a body without a length would otherwise seem complete. */
export function cutOff({ socket }: ServerResponse): void {
  if (socket === null || socket instanceof TLSSocket) socket?.destroy();
  else socket.resetAndDestroy();
}

function formatAnswer({ status, detail, isLast }: OurAnswer): { lines: string[]; body: string } {
  const body = `${JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail })}\n`;
  const lines = [
    ...['Via', '1.1 candleproof'],
    ...['Content-Type', 'application/problem+json'],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Cache-Control', 'no-store'],
    ...(status === 503 ? ['Retry-After', String(retrySeconds)] : []),
    ...(isLast ? ['Connection', 'close'] : []),
  ];
  return { lines, body };
}

/** Interim responses (1xx) to one request that are passed on; more of them are dropped. */
export const maxInterim = 16;

/** After this many interim responses, an upstream is considered never to answer. */
export const endlessInterim = 1000;

/**
 * Passes an interim response on unchanged. Returns false if it is dropped because the client has not read earlier
 * bytes.
 */
export function passInterim(
  response: ServerResponse,
  { statusCode, statusMessage, rawHeaders }: InformationEvent,
): boolean {
  const { socket } = response;
  if (socket === null || response.headersSent || statusCode === 101) return true;
  if (response.req.httpVersion === '1.0') return true;
  if (socket.writableNeedDrain) return false;
  const lines = pairHeaderLines(removeHopByHop(rawHeaders)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
  return true;
}
