/** Whether a header has this name, given in small letters. Most differ by their length, and every rule looks for some. */
export function isNamed(name: string | undefined, wanted: string): boolean {
  return name?.length === wanted.length && name.toLowerCase() === wanted;
}

/** Names and values that stand in turn, as Node gives headers and trailers, as lines. */
export function linesOf(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length >> 1 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}
