import { type Body, type HeaderLine, headerValues } from '../../contract/reading/exchange.ts';
import { bodyText } from '../secrets/redaction.ts';
import type { HarNode } from './har-node.ts';

/** The bytes of a file that lies beside a recording, or in its archive; undefined where there is none of that name. */
export type Attached = (name: string) => Buffer | undefined;

/** A name within one folder: recordings come from strangers, and lead nowhere else. */
const PLAIN_NAME = /^[\w-][\w.-]{0,200}$/;

/**
 * The body of an answer as other tools write it. Undefined where they left it out, whole or in part: no text is not an
 * empty body, and a size above what is there is a cut made by the recorder. Sizes on the wire are counted by each of
 * them in another way, so none is taken over.
 */
export function foreignBody(
  response: HarNode,
  headers: readonly HeaderLine[],
  attached: Attached,
): Body | undefined {
  const content = response.member('content');
  const bytes = bytesOf(content, attached);
  const size = sizeOf(content.member('size'));
  if (bytes === undefined || bytes.length < (size ?? 0) || isLeftOut(bytes, headers)) return undefined;
  return { ...bodyText(bytes), ...(size !== undefined && { decodedBytes: size }) };
}

function bytesOf(content: HarNode, attached: Attached): Buffer | undefined {
  const file = content.member('_file').optional((node) => node.text());
  if (file !== undefined) return PLAIN_NAME.test(file) ? attached(file) : undefined;
  const text = content.member('text').optional((node) => node.text());
  if (text === undefined) return undefined;
  const isBase64 = content.member('encoding').optional((node) => node.text().toLowerCase()) === 'base64';
  return Buffer.from(text, isBase64 ? 'base64' : 'utf8');
}

/** Proxies write an empty text for what they passed on without keeping it; the length that was announced tells. */
function isLeftOut(bytes: Buffer, headers: readonly HeaderLine[]): boolean {
  return bytes.length === 0 && Number(headerValues(headers, 'content-length')[0] ?? 0) > 0;
}

/** Anything but a number that is not negative is how exporters say that they do not know. */
function sizeOf({ value }: HarNode): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
