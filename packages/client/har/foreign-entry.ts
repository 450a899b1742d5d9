import { gunzipSync } from 'node:zlib';
import {
  type Body,
  type FailureKind,
  type HeaderLine,
  headerValues,
  type Phase,
  type TransportFailure,
} from '@candleproof/law/reading/exchange';
import { bodyText } from '../secrets/redaction.ts';
import type { HarNode } from './har-node.ts';

/** Reads a file that lies beside a recording or in its archive; undefined if no file has that name. */
export type Attached = (name: string) => Buffer | 'too large' | undefined;

/** Reads such a file if it is not too large. */
export type ReadAttached = (name: string) => Buffer | undefined;

/** A name within one folder: a recording by a stranger must not lead to any other file. */
const PLAIN_NAME = /^[\w-][\w.-]{0,200}$/;

/**
 * Reads the body of an answer as other tools write it. Undefined if they omitted all or part of it: a missing text is
 * not an empty body, and a size above the text's means that the recorder cut it. Sizes on the wire are ignored,
 * because each tool counts them differently.
 */
export function foreignBody(
  response: HarNode,
  headers: readonly HeaderLine[],
  attached: ReadAttached,
): Body | undefined {
  const content = response.member('content');
  const body = readContent(content, attached);
  const size = sizeOf(content.member('size'));
  if (body === undefined || body.bytes < (size ?? 0) || isLeftOut(body.bytes, headers)) return undefined;
  return { text: body.text, encoding: body.encoding, decodedBytes: size };
}

type Content = Pick<Body, 'text' | 'encoding'> & { readonly bytes: number };

function readContent(content: HarNode, attached: ReadAttached): Content | undefined {
  const file = content.member('_file').optional((node) => node.text());
  if (file !== undefined) return PLAIN_NAME.test(file) ? readBytes(attached(file)) : undefined;
  const text = content.member('text').optional((node) => node.text());
  if (text === undefined) return undefined;
  const isBase64 = content.member('encoding').optional((node) => node.text().toLowerCase()) === 'base64';
  const packed = isBase64 ? Buffer.from(text, 'base64') : joinChunks(text);
  if (packed) return readBytes(unpackBody(packed));
  return { text: text.toWellFormed(), encoding: 'utf8', bytes: Buffer.byteLength(text) };
}

/** Joins the chunks of a body that a recorder kept as it was sent: a list of texts in base64 or hexadecimal digits. */
function joinChunks(text: string): Buffer | undefined {
  if (!/^\["(H4sI|1f8b)/i.test(text)) return undefined;
  try {
    const chunks = JSON.parse(text) as readonly string[];
    const digits = /^[0-9a-f]*$/i;
    return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk, digits.test(chunk) ? 'hex' : 'base64')));
  } catch {
    return undefined;
  }
}

/** Most bytes that a packed body becomes. */
const mostUnpacked = 48 << 20;

/** Unpacks a body that was kept in gzip; any other stays as it is, as does a damaged one. */
function unpackBody(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: mostUnpacked });
  } catch {
    return bytes;
  }
}

function readBytes(bytes: Buffer | undefined): Content | undefined {
  return bytes && { ...bodyText(bytes), bytes: bytes.length };
}

/** Proxies write an empty text for a body that they did not keep; the announced length reveals it. */
function isLeftOut(bytes: number, headers: readonly HeaderLine[]): boolean {
  return bytes === 0 && Number(headerValues(headers, 'content-length')[0] ?? 0) > 0;
}

/** Returns a number of 0 or more; exporters write anything else for an unknown size. */
function sizeOf({ value }: HarNode): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

type Meaning = readonly [pattern: RegExp, kind: FailureKind, phase: Phase];

/** Words in the error messages of Chromium (net::ERR_…), Firefox (NS_ERROR_…), Playwright and proxies. */
const MEANINGS: readonly Meaning[] = [
  [/CERT|SEC_ERROR|SSL_ERROR_BAD_CERT/i, 'certificate', 'tls'],
  [/SSL|TLS/i, 'protocol', 'tls'],
  [/NAME_NOT_RESOLVED|UNKNOWN_HOST|ENOTFOUND/i, 'unreachable', 'dns'],
  [/UNREACH/i, 'unreachable', 'connect'],
  [/REFUSED/i, 'refused', 'connect'],
  [/TIMED?[_ ]?OUT/i, 'timeout', 'wait'],
  [/LENGTH_MISMATCH|INCOMPLETE_CHUNKED|PARTIAL_TRANSFER/i, 'truncated', 'receive'],
  [/DECODING|CORRUPTED_CONTENT/i, 'undecodable', 'receive'],
  [/RESET|CONNECTION[_ ]CLOSED|CLOSED CONNECTION|EMPTY_RESPONSE|HANG UP/i, 'reset', 'wait'],
  [/INVALID_(HTTP_)?RESPONSE|HTTP2_PROTOCOL|QUIC_PROTOCOL/i, 'protocol', 'wait'],
];

/** An entry that shows nothing about the target; the reason is worded to follow a number of entries. */
export type Skipped = { readonly skipped: string };

/**
 * Returns the failure of an entry that broke off or has no answer; undefined for one that was answered. Counts only
 * errors that are known to happen on the way, because a browser also blocks, cancels and loses requests by itself.
 */
export function foreignFailure(entry: HarNode, answered: boolean): TransportFailure | Skipped | undefined {
  if (entry.member('_wasFulfilled').value === true) return { skipped: 'answered by the test itself' };
  const message = errorOf(entry);
  if (message === undefined) return answered ? undefined : { skipped: 'no response' };
  const meaning = MEANINGS.find(([pattern]) => pattern.test(message));
  if (!meaning) return { skipped: 'blocked or called off by the browser' };
  const [, kind, phase] = meaning;
  return { phase: answered ? 'receive' : phase, kind, message };
}

function errorOf(entry: HarNode): string | undefined {
  const response = entry.member('response');
  return [response.member('_error'), response.member('_failureText'), entry.member('_error')]
    .map(({ value }) => value)
    .find((value) => typeof value === 'string' && value !== '') as string | undefined;
}
