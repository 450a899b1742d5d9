import { isNamed, linesOf } from '../../contract/reading/raw-lines.ts';

/** Lines that speak of one connection and not of the message (RFC 9110 §7.6.1). */
const ofConnection = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'upgrade', 'transfer-encoding'],
]);

/** A Connection header that names one of these would take the message itself apart. */
const ofMessage = ['host', 'content-length', 'transfer-encoding'];

/** Names and values in turn, as they stood on the wire. */
export type RawLines = readonly string[];

/**
 * The same lines in their order and case, without those of the connection alone. `chunked` stays where it stood: the
 * next connection carries the same framing.
 */
export function passedOn(lines: RawLines): string[] {
  const dropped = namedByConnection(lines);
  const kept: string[] = [];
  // A plain loop: it runs twice for each request.
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name = '', value = ''] = [lines[at], lines[at + 1]];
    const lower = name.toLowerCase();
    const isFraming = lower === 'transfer-encoding' && value.toLowerCase() === 'chunked';
    if (isFraming || !(ofConnection.has(lower) || dropped.includes(lower))) kept.push(name, value);
  }
  return kept;
}

/** Lines without the framing by chunks, which HTTP/1.0 does not know. */
export function withoutChunks(lines: RawLines): string[] {
  return linesOf(lines).flatMap(([name, value]) =>
    name.toLowerCase() === 'transfer-encoding' ? [] : [name, value],
  );
}

/** The same lines with this value in the place of each of that name. */
export function withValue(lines: RawLines, wanted: string, value: string): string[] {
  return lines.map((each, at) => (at % 2 === 1 && isNamed(lines[at - 1], wanted) ? value : each));
}

/** The first value of a name in small letters. */
export function lineOf(lines: RawLines, wanted: string): string | undefined {
  const at = lines.findIndex((each, index) => index % 2 === 0 && isNamed(each, wanted));
  return at < 0 ? undefined : lines[at + 1];
}

/** What the lines of this name list, in small letters. */
function namedByConnection(lines: RawLines): string[] {
  let named = '';
  for (let at = 0; at + 1 < lines.length; at += 2) {
    if (isNamed(lines[at], 'connection')) named += `,${lines[at + 1]}`;
  }
  if (named === '') return [];
  const names = named.toLowerCase().split(',');
  return names.map((each) => each.trim()).filter((each) => !ofMessage.includes(each));
}
