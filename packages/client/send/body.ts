import type { IncomingMessage } from 'node:http';
import { finished, pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { HeaderLine, ReceivedResponse } from '@candleproof/law/reading/exchange';
import { TransferError } from './failure.ts';
import { JoinedBytes } from './pieces.ts';

export type CollectedBody = {
  /** Decoded bytes; only the first of them if the body was too large. */
  readonly bytes: Buffer;
  readonly decodedBytes: number;
  /** Bytes of the encoded content, without chunk framing. */
  readonly wireBytes: number;
  /** The failure: a TransferError of ours, or the error of the source itself. */
  readonly error?: unknown;
};

/** A body in an unsupported content coding. */
export class UnknownCoding extends TransferError {
  constructor(coding: string) {
    super('undecodable', `the content coding ${JSON.stringify(coding.slice(0, 40))} is unknown`);
  }
}

type Tally = { wireBytes: number; decodedBytes: number; readonly kept: JoinedBytes; sourceError?: unknown };

/** Bytes of a too large body that are kept as evidence, few enough that many such answers do not fill the memory. */
const KEPT_OF_TOO_LARGE = 64 * 1024;

/** Most stacked codings: each multiplies the work that a small answer can cause, and honest servers use no more. */
const MOST_CODINGS = 2;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads a body to its end, decodes its content codings, and never holds more than `limit` bytes. Never rejects: the
 * bytes before an error are returned with it.
 * @param contentEncoding values of Content-Encoding, joined by commas
 * @param limit bytes, both as encoded and as decoded
 */
export async function collectBody(
  source: Readable,
  contentEncoding: string,
  limit: number,
): Promise<CollectedBody> {
  if (contentEncoding === '') return collectPlain(source, limit);
  const tally: Tally = { wireBytes: 0, decodedBytes: 0, kept: new JoinedBytes() };
  let failed: unknown;
  try {
    await keep(decodeBody(readWire(source, tally, limit), contentEncoding), tally, limit);
  } catch (error) {
    failed = error instanceof TransferError ? error : undecodableError(error);
    source.destroy();
  }
  // A decoder always fails on a body that broke off on the wire: then the wire's error is the cause.
  return collectedBody(tally, tally.sourceError ?? failed);
}

/** Collects a body without a content coding, as most are, without the overhead of decoding streams. */
function collectPlain(source: Readable, limit: number): Promise<CollectedBody> {
  const tally: Tally = { wireBytes: 0, decodedBytes: 0, kept: new JoinedBytes() };
  source.on('data', (chunk: Buffer) => {
    tally.wireBytes += chunk.length;
    if (tally.wireBytes > limit) source.destroy(tooLargeError(limit, 'as sent'));
    else {
      tally.decodedBytes = tally.wireBytes;
      tally.kept.add(chunk);
    }
  });
  return new Promise((resolve) =>
    finished(source, (error) => resolve(collectedBody(tally, error ?? undefined))),
  );
}

function collectedBody(tally: Tally, error: unknown): CollectedBody {
  const { decodedBytes, wireBytes } = tally;
  const whole = tally.kept.take();
  if (error === undefined) return { bytes: whole, decodedBytes, wireBytes };
  const tooLarge = error instanceof TransferError && error.kind === 'too-large';
  const bytes = tooLarge ? Buffer.from(whole.subarray(0, KEPT_OF_TOO_LARGE)) : whole;
  return { bytes, decodedBytes, wireBytes, error };
}

async function* readWire(source: Readable, tally: Tally, limit: number): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      tally.wireBytes += chunk.length;
      if (tally.wireBytes > limit) throw tooLargeError(limit, 'as sent');
      yield chunk;
    }
  } catch (error) {
    // A decoder's error is thrown in here too, and must not be taken for one of the wire.
    if (error === source.errored || error instanceof TransferError) tally.sourceError ??= error;
  }
}

function decodeBody(wire: AsyncIterable<Buffer>, contentEncoding: string): AsyncIterable<Buffer> {
  return decodersFor(contentEncoding).reduce<AsyncIterable<Buffer>>(
    // The reader of the last decoder receives the error; the callback is only required.
    (encoded, decoder) => pipeline(Readable.from(encoded, { objectMode: false }), decoder, () => undefined),
    wire,
  );
}

async function keep(content: AsyncIterable<Buffer>, tally: Tally, limit: number): Promise<void> {
  for await (const chunk of content) {
    tally.decodedBytes += chunk.length;
    if (tally.decodedBytes > limit) throw tooLargeError(limit, 'decoded');
    tally.kept.add(chunk);
  }
}

function decodersFor(contentEncoding: string): Transform[] {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const applied = codings.filter((coding) => coding !== '' && coding !== 'identity');
  if (applied.length > MOST_CODINGS)
    throw new TransferError('undecodable', 'the body has too many content codings');
  return applied.reverse().map((coding) => {
    const create = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    if (create === undefined) {
      throw new UnknownCoding(coding);
    }
    return create();
  });
}

function tooLargeError(limit: number, which: string): TransferError {
  return new TransferError('too-large', `the body passed the limit of ${limit} bytes (${which})`);
}

function undecodableError(error: unknown): TransferError {
  const text = error instanceof Error ? error.message : String(error);
  return new TransferError('undecodable', `the body cannot be decoded: ${text}`);
}

export type ResponseHead = Omit<ReceivedResponse, 'body'>;

/** Returns the status line, and the headers with their repetitions and letter case. */
export function headOf(response: IncomingMessage): ResponseHead {
  const raw = response.rawHeaders;
  const headers: HeaderLine[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    httpVersion: `HTTP/${response.httpVersion}`,
    headers,
  };
}
