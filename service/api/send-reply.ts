import type { ServerResponse } from 'node:http';
import { type Delivery, Pieces, type Reply } from './message.ts';

/** Upper bound of any delay, in ms. */
const LONGEST_WAIT = 60_000;

/** A reply ready to send; `body` is undefined for HEAD. */
type Parcel = {
  readonly status: number;
  readonly lines: readonly string[];
  readonly body: Buffer | undefined;
};

/** Sends a reply late or truncated. Timers are cleared when the client disconnects. */
export function deliver(response: ServerResponse, { status, lines, body }: Parcel, how: Delivery): void {
  const { wait = 0, bodyWait = 0, cutAfter } = how;
  runLater(response, wait, () => {
    response.writeHead(status, [...lines]);
    if (bodyWait > 0) response.flushHeaders();
    runLater(response, bodyWait, () => {
      if (cutAfter === undefined || body === undefined) response.end(body);
      else response.write(body.subarray(0, cutAfter), () => response.socket?.destroy());
    });
  });
}

function runLater(response: ServerResponse, ms: number, then: () => void): void {
  if (ms <= 0) {
    then();
    return;
  }
  const timer = setTimeout(then, Math.min(ms, LONGEST_WAIT));
  response.once('close', () => clearTimeout(timer));
}

/** Sends a reply. Leaves the body out for HEAD. */
export function writeReply(response: ServerResponse, reply: Reply, withoutBody: boolean): void {
  const { status, headers, body: content, delivery } = reply;
  const body = typeof content === 'string' ? Pieces.of(content) : content;
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, value);
  if (status !== 204 && status !== 304) lines.push('Content-Length', String(body.length));
  response.sendDate = false;
  const sent = withoutBody ? undefined : body;
  if (delivery) {
    deliver(response, { status, lines, body: sent?.whole() }, delivery);
    return;
  }
  response.writeHead(status, lines);
  const pieces = sent?.all ?? [];
  for (const piece of pieces.slice(0, -1)) response.write(piece);
  response.end(pieces.at(-1));
}
