/**
 * Joins an answer from parts: every name once, with all values observed for it. A baseline compares part by part, so that a
 * run with fewer parts changes nothing.
 */
export function joinParts(seen: Iterable<readonly [name: string, reported: string]>): string | undefined {
  const parts = new Map<string, Set<string>>();
  for (const [name, text] of seen) parts.set(name, (parts.get(name) ?? new Set()).add(text));
  const texts = [...parts].map(([name, text]) => `${name} ${[...text].sort().join(' or ')}`);
  return texts.length > 0 ? texts.sort().join(', ') : undefined;
}
