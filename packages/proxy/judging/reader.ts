import { Readable } from 'node:stream';
import { bodyText, KEY_HEADER } from '@candleproof/client/secrets/redaction';
import { type CollectedBody, collectBody, UnknownCoding } from '@candleproof/client/send/body';
import { TransferError } from '@candleproof/client/send/failure';
import { listValues } from '@candleproof/document/spec/request-path';
import type { Spec } from '@candleproof/document/spec/spec';
import {
  type Credential,
  type Exchange,
  findKey,
  type HeaderLine,
  headerValues,
  pairHeaderLines,
} from '@candleproof/law/reading/exchange';
import { recognizeRequest } from '@candleproof/law/reading/requested';
import { trialCredential } from '@candleproof/law/rules/error-cases';
import type { PassedExchange, ReasonUnjudged } from '../traffic-observer.ts';
import { maxBodyBytes, windowAnswers } from './judging-limits.ts';
import { PassingQuotas } from './passing-quotas.ts';
import { PassingSecrets } from './passing-secrets.ts';

/** Makes decoded exchanges without secrets from messages on the wire. */
export class Reader {
  readonly #spec: Spec;
  readonly #baseUrl: string;
  readonly #secrets = new PassingSecrets();
  readonly #keys = new PassingKeys(windowAnswers);
  readonly quotas: PassingQuotas;

  constructor(spec: Spec, baseUrl: string) {
    this.#spec = spec;
    this.#baseUrl = baseUrl;
    this.quotas = new PassingQuotas(spec.quota, baseUrl);
  }

  /** Returns the exchange, or the reason why it is not judged. */
  async read(passed: PassedExchange, ordinal: number): Promise<Exchange | ReasonUnjudged> {
    const { method, path, span, failure } = passed;
    const headers = pairHeaderLines(passed.requestLines);
    if (isConditional(headers)) return 'own conditions';
    const [key, ...further] = (this.#spec.keyPlaces ?? [ourKey]).map((place) =>
      findKey(place, { url: `${this.#baseUrl}${path}`, headers }),
    );
    // A key in another place than its header may have determined the answer.
    const isElsewhere = key === undefined && headers.some(([name]) => /^(authorization|cookie)$/i.test(name));
    const credential = isElsewhere
      ? ('trial:elsewhere' as const)
      : this.#keys.credentialOf(key, passed.status === 200, ordinal);
    const request = { method, url: `${this.#baseUrl}${path}`, headers, credential };
    if (recognizeRequest(this.#spec, this.#baseUrl, request) === undefined) return 'other path';
    const responseHeaders = pairHeaderLines(passed.responseLines);
    const body = await contentOf(passed, responseHeaders);
    if (typeof body === 'string') return body;
    const broken = failure ?? failureOf(body);
    const exchange: Exchange = {
      request,
      response: {
        status: passed.status,
        statusText: passed.statusText,
        httpVersion: passed.httpVersion,
        headers: responseHeaders,
        body: {
          ...bodyText(body.bytes),
          decodedBytes: body.decodedBytes, // An HTTP client does not report the number of bytes on the wire.
          ...(!passed.isDecoded && { wireBytes: body.wireBytes }),
        },
      },
      failure: broken,
      timings: { total: span.totalMs },
      startedAt: new Date(span.startedAt).toISOString(),
      ...(passed.isDecoded && { recorder: { place: 'observed' } }),
    };
    if (key !== undefined) this.quotas.note(key, exchange);
    return this.#secrets.clean(exchange, {
      keys: [key, ...further].filter((secret) => secret !== undefined),
      plain: listValues(this.#spec, request.url),
    });
  }
}

const ourKey = { in: 'header', name: KEY_HEADER, prefix: '' } as const;

async function contentOf(
  { body, isDecoded, method, status }: PassedExchange,
  headers: readonly HeaderLine[],
): Promise<CollectedBody | ReasonUnjudged> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const coding = headerValues(headers, 'content-encoding').join(',');
  const isBare = isDecoded || coding === '' || method === 'HEAD' || status === 304;
  if (isBare) return { bytes, decodedBytes: bytes.length, wireBytes: bytes.length };
  const collected = await collectBody(Readable.from([bytes], { objectMode: false }), coding, maxBodyBytes);
  const { error } = collected;
  if (error instanceof UnknownCoding) return 'unknown coding';
  if (error instanceof TransferError && error.kind === 'too-large') return 'too large';
  return collected;
}

function failureOf({ error }: CollectedBody): Exchange['failure'] {
  if (error === undefined) return undefined;
  return {
    phase: 'receive',
    kind: 'undecodable',
    message: error instanceof Error ? error.message : String(error),
  };
}

/**
 * Headers that make a request conditional in ways that the document does not describe, so that the client gets what it
 * requested.
 */
const conditions = ['range', 'if-match', 'if-unmodified-since', 'if-modified-since', 'expect'];

/** Returns whether a request wants another answer than the document's plain one, about which the law states nothing. */
function isConditional(headers: readonly HeaderLine[]): boolean {
  return headers.some(([line, value]) => {
    const name = line.toLowerCase();
    return conditions.includes(name) || (name === 'accept' && !/json|\*\/\*|application\/\*/i.test(value));
  });
}

/**
 * Determines the key whose counters an answer shows. The law applies to the first key that the target accepts, until it
 * has been absent for a whole window; answers to other keys are judged singly and compared with nothing.
 */
class PassingKeys {
  readonly #patience: number;
  #ours: string | undefined;
  #lastSeen = 0;

  /** @param patience exchanges without a key until another one may replace it */
  constructor(patience: number) {
    this.#patience = patience;
  }

  credentialOf(key: string | undefined, isAccepted: boolean, ordinal: number): Credential {
    if (key === undefined) return 'none';
    const isFree = this.#ours === undefined || ordinal - this.#lastSeen > this.#patience;
    if (isFree && isAccepted) this.#ours = key;
    if (key !== this.#ours) return trialCredential('other-key');
    this.#lastSeen = ordinal;
    return 'api-key';
  }
}
