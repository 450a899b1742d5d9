/** Lines that speak of one connection and not of the message (RFC 9110 §7.6.1). */
const ofConnection = ['connection', 'proxy-connection', 'keep-alive', 'te', 'upgrade', 'transfer-encoding'];

/** A Connection header that names one of these would take the message itself apart. */
const ofMessage = ['host', 'content-length', 'transfer-encoding'];

/** Names and values in turn, as they stood on the wire. */
export type RawLines = readonly string[];

/**
 * The same lines in their order and case, without those of the connection alone. `chunked` stays where it stood: the
 * next connection carries the same framing.
 */
export function passedOn(lines: RawLines): string[] {
  const dropped = new Set([...ofConnection, ...namedByConnection(lines)]);
  return pairsOf(lines).flatMap(([name, value]) => {
    const isFraming = name.toLowerCase() === 'transfer-encoding' && value.toLowerCase() === 'chunked';
    return isFraming || !dropped.has(name.toLowerCase()) ? [name, value] : [];
  });
}

/** Lines without the framing by chunks, which HTTP/1.0 does not know. */
export function withoutChunks(lines: RawLines): string[] {
  return pairsOf(lines).flatMap(([name, value]) =>
    name.toLowerCase() === 'transfer-encoding' ? [] : [name, value],
  );
}

/** The same lines with this value in the place of each of that name. */
export function withValue(lines: RawLines, wanted: string, value: string): string[] {
  return pairsOf(lines).flatMap(([name, old]) => [name, name.toLowerCase() === wanted ? value : old]);
}

/** The first value of a name in small letters. */
export function lineOf(lines: RawLines, wanted: string): string | undefined {
  return pairsOf(lines).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function namedByConnection(lines: RawLines): string[] {
  return pairsOf(lines)
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((each) => each.trim())
    .filter((each) => !ofMessage.includes(each));
}

export function pairsOf(lines: RawLines): [name: string, value: string][] {
  return Array.from({ length: lines.length >> 1 }, (_, at) => [lines[2 * at] ?? '', lines[2 * at + 1] ?? '']);
}
