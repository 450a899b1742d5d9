import { createHash, hash } from 'node:crypto';
import { Redaction } from '@candleproof/client/secrets/redaction';
import type { HeaderLine } from '@candleproof/law/reading/exchange';
import { pairHeaderLines } from '@candleproof/law/reading/exchange';
import type { Witnessed } from '@candleproof/reference-service/api/listener';
import type { BodyDigest, ClientExchange, ClientKeyPlace } from '../client-exchange.ts';

/** Bytes of a request's body that are searched for the key; the hash covers all bytes. */
const mostSearched = 65_536;

/** Maximum number of recorded requests in a play. */
const mostRecorded = 5000;

type Recorded = Omit<ClientExchange, 'ended' | 'body' | 'sha256' | 'keyPlaces'> & {
  ended?: number;
  keyPlaces: Set<ClientKeyPlace>;
  readonly head: string;
  readonly body: RecordedBody;
};

/** Records the requests to a double and its answers. */
export class DoubleRecorder {
  readonly #clock: () => number;
  readonly #keyHeader: string;
  readonly #redaction = new Redaction();
  readonly #clientSecrets = new Redaction();
  readonly #connections = new WeakMap<object, number>();
  readonly #recorded: Recorded[] = [];
  #connectionCount = 0;

  /** `clock` returns milliseconds; `keyHeader` is in lower case. */
  constructor(clock: () => number, keyHeader: string) {
    this.#clock = clock;
    this.#keyHeader = keyHeader;
  }

  /** Redacts this key from now on. */
  conceal(key: string): void {
    this.#redaction.conceal({ credential: 'api-key', text: key });
  }

  /** Redacts a secret of the client that is not the double's key. */
  concealClientSecret(secret: string): void {
    this.#clientSecrets.conceal({ credential: 'parameter', text: secret });
  }

  /** Replaces the key and the client's secrets by markers. */
  redact(text: string): string {
    return this.#clientSecrets.text(this.#redaction.text(text));
  }

  /** Returns the exchanges so far, in order of arrival. */
  exchanges(): ClientExchange[] {
    return this.#recorded.map(({ head, body, keyPlaces, ...rest }) => {
      if (this.#holdsKey(body.beginning)) keyPlaces.add('body');
      const { weighed } = body;
      return {
        ...rest,
        body: weighed,
        sha256: hash('sha256', `${head}${weighed.sha256}`),
        keyPlaces: [...keyPlaces],
      };
    });
  }

  record({ request, reply, response }: Witnessed): void {
    if (this.#recorded.length >= mostRecorded) return;
    const { method = 'GET', url = '/', rawHeaders, socket } = request;
    const lines = pairHeaderLines(rawHeaders);
    const sent = Buffer.from(String(reply.body));
    const seen: Recorded = {
      number: this.#recorded.length + 1,
      connection: this.#connectionNumber(socket),
      method,
      target: this.redact(url),
      headers: lines.map((line) => this.#cleanLine(line)),
      head: JSON.stringify([method, url, rawHeaders]),
      body: new RecordedBody(),
      keyPlaces: this.#keyPlaces(url, lines),
      arrived: this.#clock(),
      status: reply.status,
      answerHeaders: reply.headers,
      answer: { bytes: sent.length, sha256: hash('sha256', sent) },
    };
    this.#recorded.push(seen);
    request.on('data', (chunk: Buffer) => seen.body.take(chunk));
    // An interrupted request needs no further handling.
    request.on('error', () => {});
    response.once('finish', () => {
      if (reply.delivery?.cutAfter === undefined) seen.ended = this.#clock();
    });
  }

  #connectionNumber(socket: object): number {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    this.#connectionCount += 1;
    this.#connections.set(socket, this.#connectionCount);
    return this.#connectionCount;
  }

  #keyPlaces(url: string, lines: readonly HeaderLine[]): Set<ClientKeyPlace> {
    const places = new Set<ClientKeyPlace>();
    if (this.#holdsKey(url)) places.add('URL');
    for (const [name, value] of lines) {
      const lower = name.toLowerCase();
      if (!this.#holdsKey(value) && !this.#holdsKey(decodeBasic(value))) continue;
      places.add(lower === this.#keyHeader ? 'key header' : `header ${lower}`);
    }
    return places;
  }

  #cleanLine([name, value]: HeaderLine): HeaderLine {
    return [
      this.redact(name),
      this.#holdsKey(decodeBasic(value)) ? 'Basic [redacted:api-key]' : this.redact(value),
    ];
  }

  #holdsKey(text: string): boolean {
    return this.redact(text) !== text;
  }
}

/** A body that arrives in chunks. */
class RecordedBody {
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #beginning = '';

  take(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    const room = mostSearched - this.#beginning.length;
    if (room > 0) this.#beginning += chunk.subarray(0, room).toString('latin1');
  }

  get beginning(): string {
    return this.#beginning;
  }

  get weighed(): BodyDigest {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }
}

/** Decodes Basic credentials; returns nothing for any other header value. */
function decodeBasic(value: string): string {
  const [, credentials = ''] = /^basic\s+(\S+)$/i.exec(value) ?? [];
  return Buffer.from(credentials, 'base64').toString('latin1');
}
