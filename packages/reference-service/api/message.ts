import type { ServerResponse } from 'node:http';

/** A request without its socket. */
export type ApiRequest = {
  readonly method: string;
  /** Request target as sent: path and query. */
  readonly target: string;
  readonly apiKey: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Network address of the client. */
  readonly client: string;
  /** True for a request over plain HTTP. */
  readonly plain?: boolean;
  /** Time of arrival by the service's clock, in ms. The answer reflects this instant. */
  readonly now: number;
};

export type ReplyHeader = readonly [name: string, value: string];

/** A complete reply. Its body is not sent in answer to HEAD. */
export type Reply = {
  readonly status: number;
  readonly headers: readonly ReplyHeader[];
  readonly body: string | Pieces;
  /** True if the request carried a key that the service knows. */
  readonly hasKey?: boolean;
  /** Undefined for a reply that is sent at once and complete. */
  readonly delivery?: Delivery;
};

/** A JSON object before serialization. */
export type JsonObject = { readonly [field: string]: unknown };

/** A body in pieces, as the cache holds them. Joining them for every reply would cost more than reading them. */
export class Pieces {
  readonly all: readonly Buffer[];
  readonly length: number;

  constructor(all: readonly Buffer[]) {
    this.all = all;
    this.length = all.reduce((sum, piece) => sum + piece.length, 0);
  }

  static of(text: string): Pieces {
    return new Pieces([Buffer.from(text)]);
  }

  /** Bytes of memory that the pieces keep alive: the buffers that they are slices of. */
  get held(): number {
    return this.all.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  }

  concatenate(): Buffer {
    return Buffer.concat(this.all);
  }

  toString(): string {
    return this.concatenate().toString();
  }
}

/** Delays and truncation of a reply. */
export type Delivery = {
  /** Milliseconds before the first byte. */
  readonly wait?: number;
  /** Milliseconds between headers and body. */
  readonly bodyWait?: number;
  /** Bytes of the body after which the connection is closed. */
  readonly cutAfter?: number;
};

/** Upper bound of any delay, in ms. */
const LONGEST_WAIT = 60_000;

/** A reply ready to send; `body` is undefined for HEAD. */
type Parcel = {
  readonly status: number;
  readonly lines: readonly string[];
  readonly body: Buffer | undefined;
};

/** Sends a reply late or truncated. Timers are cleared when the client disconnects. */
function deliver(response: ServerResponse, { status, lines, body }: Parcel, how: Delivery): void {
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
    deliver(response, { status, lines, body: sent?.concatenate() }, delivery);
    return;
  }
  response.writeHead(status, lines);
  const pieces = sent?.all ?? [];
  for (const piece of pieces.slice(0, -1)) response.write(piece);
  response.end(pieces.at(-1));
}
