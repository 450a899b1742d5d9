import { hasHeaderName, pairHeaderLines } from '../../contract/reading/exchange.ts';

/** Lines that speak of one connection and not of the message (RFC 9110 §7.6.1). */
const ofConnection = new Set(['connection', 'proxy-connection', 'keep-alive', 'te', 'upgrade']);

/** A Connection header that names one of these would take the message itself apart. */
const ofMessage = ['host', 'content-length', 'transfer-encoding'];

/** Names and values in turn, as they stood on the wire. */
export type RawLines = readonly string[];

/**
 * The same lines in their order and case, without those of the connection alone. Transfer codings stay where they stood:
 * the next connection carries the same framing.
 */
export function removeHopByHop(lines: RawLines): string[] {
  const dropped = listConnectionHeaders(lines);
  const kept: string[] = [];
  // A plain loop: it runs twice for each request.
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name = '', value = ''] = [lines[at], lines[at + 1]];
    const lower = name.toLowerCase();
    if (!(ofConnection.has(lower) || dropped.includes(lower))) kept.push(name, value);
  }
  return kept;
}

/** Lines without the framing by chunks, which HTTP/1.0 does not know. */
export function withoutChunks(lines: RawLines): string[] {
  return pairHeaderLines(lines).flatMap(([name, value]) =>
    name.toLowerCase() === 'transfer-encoding' ? [] : [name, value],
  );
}

/** The same lines with this Host in the place of theirs; at the beginning where there is none. */
export function withHost(lines: RawLines, host: string): string[] {
  const named = lines.map((line, at) => (at % 2 === 1 && hasHeaderName(lines[at - 1], 'host') ? host : line));
  return lineOf(lines, 'host') === undefined ? ['Host', host, ...named] : named;
}

/** The first value of a name in small letters. */
export function lineOf(lines: RawLines, wanted: string): string | undefined {
  const at = lines.findIndex((line, index) => index % 2 === 0 && hasHeaderName(line, wanted));
  return at < 0 ? undefined : lines[at + 1];
}

/** Every value of a name in small letters. */
export function valuesOf(lines: RawLines, wanted: string): string[] {
  return lines.filter((_, at) => at % 2 === 1 && hasHeaderName(lines[at - 1], wanted));
}

/**
 * The transfer codings that a body is under: none, chunks alone, or others under them. `unclear` where chunks are not the
 * last of them, and its end can be read in two ways.
 */
export function codingOf(lines: RawLines): 'none' | 'chunked' | 'coded' | 'unclear' {
  const values = valuesOf(lines, 'transfer-encoding');
  if (values.length === 0) return 'none';
  const codings = values
    .join(',')
    .toLowerCase()
    .split(',')
    .map((value) => value.trim());
  if (codings.pop() !== 'chunked' || codings.some((coding) => /\bchunked\b/.test(coding))) return 'unclear';
  return codings.length === 0 ? 'chunked' : 'coded';
}

/** Lists the lines that the Connection header names, in lower case. */
function listConnectionHeaders(lines: RawLines): string[] {
  let named = '';
  for (let at = 0; at + 1 < lines.length; at += 2) {
    if (hasHeaderName(lines[at], 'connection')) named += `,${lines[at + 1]}`;
  }
  if (named === '') return [];
  const names = named.toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => !ofMessage.includes(name));
}
