import type { ServerResponse } from 'node:http';

/** How an answer is sent, where that is not at once and whole. */
export type Delivery = {
  /** Milliseconds before its first byte. */
  readonly wait?: number;
  /** Milliseconds between its headers and its body. */
  readonly bodyWait?: number;
  /** Bytes of the body after which the connection breaks off. */
  readonly cutAfter?: number;
};

/** No answer is held back for longer (ms), whatever was requested. */
export const LONGEST_WAIT = 60_000;

/** What is to be sent; the body is left out where the method asks for none. */
type Parcel = {
  readonly status: number;
  readonly lines: readonly string[];
  readonly body: Buffer | undefined;
};

/** Sends an answer late, or in part. Nothing is left behind when the caller hangs up first. */
export function deliver(response: ServerResponse, { status, lines, body }: Parcel, how: Delivery): void {
  const { wait = 0, bodyWait = 0, cutAfter } = how;
  later(response, wait, () => {
    response.writeHead(status, [...lines]);
    if (bodyWait > 0) response.flushHeaders();
    later(response, bodyWait, () => {
      if (cutAfter === undefined || body === undefined) response.end(body);
      else response.write(body.subarray(0, cutAfter), () => response.socket?.destroy());
    });
  });
}

function later(response: ServerResponse, ms: number, then: () => void): void {
  if (ms <= 0) {
    then();
    return;
  }
  const timer = setTimeout(then, Math.min(ms, LONGEST_WAIT));
  response.once('close', () => clearTimeout(timer));
}
