/** Names and values that stand in turn, as Node gives headers and trailers, as lines. */
export function linesOf(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length >> 1 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);
}
