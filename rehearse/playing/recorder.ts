import { createHash, hash } from 'node:crypto';
import type { HeaderLine } from '../../contract/reading/exchange.ts';
import { linesOf } from '../../contract/reading/raw-lines.ts';
import { Redaction } from '../../http/secrets/redaction.ts';
import type { Witnessed } from '../../service/api/listener.ts';
import type { HeardExchange, KeyPlace, Weighed } from '../heard.ts';

/** Bytes of a request's body that are searched for the key; its hash is that of all. */
const mostSearched = 65_536;
/** Requests that are taken down in one play; a client that sends more has shown what it does. */
const mostKept = 5000;

type Seen = Omit<HeardExchange, 'ended' | 'body' | 'sha256' | 'keyPlaces'> & {
  ended?: number;
  keyPlaces: Set<KeyPlace>;
  readonly head: string;
  readonly body: HeardBody;
};

/** Writes down what a double hears and answers; what is no request is not heard. */
export class DoubleRecorder {
  readonly #clock: () => number;
  readonly #keyHeader: string;
  readonly #redaction = new Redaction();
  readonly #own = new Redaction();
  readonly #connections = new WeakMap<object, number>();
  readonly #seen: Seen[] = [];
  #connectionCount = 0;

  /** `clock`: milliseconds; `keyHeader` in lower case. */
  constructor(clock: () => number, keyHeader: string) {
    this.#clock = clock;
    this.#keyHeader = keyHeader;
  }

  /** Looks for this key from now on. */
  conceal(key: string): void {
    this.#redaction.conceal({ credential: 'api-key', text: key });
  }

  /** A secret of the client's own, which is no key of the double. */
  concealOwn(secret: string): void {
    this.#own.conceal({ credential: 'parameter', text: secret });
  }

  /** Text of the client's with the key, and secrets of its own, replaced by their markers. */
  redacted(text: string): string {
    return this.#own.text(this.#redaction.text(text));
  }

  /** What was heard up to now, in the order of arrival. */
  exchanges(): HeardExchange[] {
    return this.#seen.map(({ head, body, keyPlaces, ...rest }) => {
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

  /** Takes one request down as it comes. */
  hear({ request, reply, response }: Witnessed): void {
    if (this.#seen.length >= mostKept) return;
    const { method = 'GET', url = '/', rawHeaders, socket } = request;
    const lines = linesOf(rawHeaders);
    const sent = Buffer.from(String(reply.body));
    const seen: Seen = {
      number: this.#seen.length + 1,
      connection: this.#connectionOf(socket),
      method,
      target: this.redacted(url),
      headers: lines.map((line) => this.#cleanLine(line)),
      head: JSON.stringify([method, url, rawHeaders]),
      body: new HeardBody(),
      keyPlaces: this.#keyPlaces(url, lines),
      arrived: this.#clock(),
      status: reply.status,
      answerHeaders: reply.headers,
      answer: { bytes: sent.length, sha256: hash('sha256', sent) },
    };
    this.#seen.push(seen);
    request.on('data', (chunk: Buffer) => seen.body.take(chunk));
    // One that breaks off before is no longer heard.
    request.on('error', () => {});
    response.once('finish', () => {
      if (reply.delivery?.cutAfter === undefined) seen.ended = this.#clock();
    });
  }

  #connectionOf(socket: object): number {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    this.#connectionCount += 1;
    this.#connections.set(socket, this.#connectionCount);
    return this.#connectionCount;
  }

  #keyPlaces(url: string, lines: readonly HeaderLine[]): Set<KeyPlace> {
    const places = new Set<KeyPlace>();
    if (this.#holdsKey(url)) places.add('URL');
    for (const [name, value] of lines) {
      const lower = name.toLowerCase();
      if (!this.#holdsKey(value) && !this.#holdsKey(fromBasic(value))) continue;
      places.add(lower === this.#keyHeader ? 'key header' : `header ${lower}`);
    }
    return places;
  }

  #cleanLine([name, value]: HeaderLine): HeaderLine {
    return [
      this.redacted(name),
      this.#holdsKey(fromBasic(value)) ? 'Basic [redacted:api-key]' : this.redacted(value),
    ];
  }

  #holdsKey(text: string): boolean {
    return this.redacted(text) !== text;
  }
}

/** A body that comes in pieces. */
class HeardBody {
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

  get weighed(): Weighed {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }
}

/** What Basic credentials say; nothing of any other header. */
function fromBasic(value: string): string {
  const [, credentials = ''] = /^basic\s+(\S+)$/i.exec(value) ?? [];
  return Buffer.from(credentials, 'base64').toString('latin1');
}
