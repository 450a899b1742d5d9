const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Keeps of a source map's mappings those at which another line of a source begins: a stack trace shows lines, and the rest
 * is two thirds of the map. Its columns become those of the line's first piece.
 */
export function thinMappings(mappings: string): string {
  const read = [0, 0, 0, 0];
  const written = [0, 0, 0, 0];
  const lines = mappings.split(';').map((line) => {
    read[0] = 0;
    written[0] = 0;
    let place = '';
    const kept = line.split(',').flatMap((segment) => {
      const fields = decode(segment).slice(0, 4);
      for (const [at, change] of fields.entries()) read[at] = (read[at] ?? 0) + change;
      const now = fields.length < 4 ? '' : `${read[1]}:${read[2]}`;
      if (segment === '' || now === place) return [];
      place = now;
      return [fields.map((_, at) => encode((read[at] ?? 0) - swap(written, at, read[at] ?? 0))).join('')];
    });
    return kept.join(',');
  });
  return lines.join(';');
}

/** Sets an entry and returns what it was. */
function swap(list: number[], at: number, value: number): number {
  const before = list[at] ?? 0;
  list[at] = value;
  return before;
}

/** Reads the numbers of a segment: base 64, the lowest bits first, the sign in the last bit. */
function decode(segment: string): number[] {
  return (segment.match(/[g-z0-9+/]*[A-Za-f]/g) ?? []).map((text) => {
    const value = [...text].reduceRight((sum, digit) => sum * 32 + (digits.indexOf(digit) % 32), 0);
    return value % 2 === 0 ? value / 2 : -(value - 1) / 2;
  });
}

function encode(number: number): string {
  let rest = number < 0 ? -number * 2 + 1 : number * 2;
  let text = '';
  do {
    const more = rest >= 32 ? 32 : 0;
    text += digits[(rest % 32) + more];
    rest = Math.floor(rest / 32);
  } while (rest > 0);
  return text;
}
