import { hasHeaderName, pairHeaderLines } from '@candleproof/law/reading/exchange';

/** Headers that concern one connection and not the message (RFC 9110 §7.6.1). */
const ofConnection = new Set(['connection', 'proxy-connection', 'keep-alive', 'te', 'upgrade']);

/** A Connection header that names one of these would break the message itself. */
const ofMessage = ['host', 'content-length', 'transfer-encoding'];

/** Names and values, alternating, as sent on the wire. */
export type RawLines = readonly string[];

/**
 * Returns the lines, in their order and case, without those for one connection. Transfer codings stay in place, since
 * the next connection uses the same framing.
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

/** Removes chunked framing, which HTTP/1.0 does not support. */
export function withoutChunks(lines: RawLines): string[] {
  return pairHeaderLines(lines).flatMap(([name, value]) =>
    name.toLowerCase() === 'transfer-encoding' ? [] : [name, value],
  );
}

/** Replaces the Host; adds it at the beginning if there is none. */
export function withHost(lines: RawLines, host: string): string[] {
  const named = lines.map((line, at) => (at % 2 === 1 && hasHeaderName(lines[at - 1], 'host') ? host : line));
  return lineOf(lines, 'host') === undefined ? ['Host', host, ...named] : named;
}

/** Returns the first value of a lower-case name. */
export function lineOf(lines: RawLines, wanted: string): string | undefined {
  const at = lines.findIndex((line, index) => index % 2 === 0 && hasHeaderName(line, wanted));
  return at < 0 ? undefined : lines[at + 1];
}

/** Returns every value of a lower-case name. */
export function valuesOf(lines: RawLines, wanted: string): string[] {
  return lines.filter((_, at) => at % 2 === 1 && hasHeaderName(lines[at - 1], wanted));
}

/**
 * Returns the transfer codings of a body: none, only chunks, or others below chunks. `unclear` if chunks are not the
 * last coding, so that the end of the body is ambiguous.
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
