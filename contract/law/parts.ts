/**
 * An answer reported in parts: each name once, with all that was seen of it. A baseline compares part by part, so that
 * a run which saw fewer of them changes nothing.
 */
export function inParts(seen: Iterable<readonly [name: string, reported: string]>): string | undefined {
  const parts = new Map<string, Set<string>>();
  for (const [name, text] of seen) parts.set(name, (parts.get(name) ?? new Set()).add(text));
  const texts = [...parts].map(([name, text]) => `${name} ${[...text].sort().join(' or ')}`);
  return texts.length > 0 ? texts.sort().join(', ') : undefined;
}
