import type { Kill, KillMatrix } from './facts.ts';
import kept from './proofs.json' with { type: 'json' };

/** A fault that was found in the reference service, and the rules that found it. */
export type Proof = {
  readonly number: string;
  readonly id: string;
  readonly title: string;
  /** Ids of the rules that it breaks and that were triggered. */
  readonly foundBy: readonly string[];
  /** The mildest size that was found, and the rule whose limit it is. */
  readonly limit?: { readonly smallest: number; readonly unit: string; readonly rule: string };
};

/** The proofs, as `candleproof serve faults` wrote them. */
export const proofs: readonly Proof[] = kept;

/** Returns the content of proofs.json: one line for each fault that a kill matrix proves. */
export function proofsJson({ kills }: Pick<KillMatrix, 'kills'>): string {
  const found = kills.map(toProof).filter(({ foundBy }) => foundBy.length > 0);
  return `[\n${found.map((proof) => `  ${JSON.stringify(proof)}`).join(',\n')}\n]\n`;
}

function toProof({ number, id, title, breaks, foundBy, limit }: Kill): Proof {
  const triggered = foundBy.filter((witness) => breaks.some((other) => other.id === witness.id));
  const [strictest] = limit?.foundBy ?? [];
  return {
    number,
    id,
    title,
    foundBy: triggered.map((witness) => witness.id),
    ...(limit &&
      limit.smallest !== null &&
      strictest && { limit: { smallest: limit.smallest, unit: limit.unit, rule: strictest.id } }),
  };
}

const byRule = new Map<string, Proof[]>();
for (const proof of proofs) {
  for (const rule of proof.foundBy) byRule.set(rule, [...(byRule.get(rule) ?? []), proof]);
}

/** Returns the faults that trigger a rule; empty for a rule that only its tests prove. */
export function findProofs(rule: string): readonly Proof[] {
  return byRule.get(rule) ?? [];
}

/** Returns whether any fault breaks both rules. */
export function shareFault(a: string, b: string): boolean {
  return findProofs(a).some(({ foundBy }) => foundBy.includes(b));
}

/** Returns the faults that break a rule; those that show its finest detectable size come first. */
export function rankProofs(rule: string): Proof[] {
  const isFinest = ({ limit }: Proof): boolean => limit?.rule === rule;
  return findProofs(rule).toSorted((a, b) => Number(isFinest(b)) - Number(isFinest(a)));
}

/** `avg is the sum over time, found from 10⁻⁹ of the way there`: the title of a fault, and the rule's limit. */
export function describeProof({ title, limit }: Proof, rule: string): string {
  return `${title}${limit?.rule === rule ? `, ${describeSmallest(limit)}` : ''}`;
}

/** `found from 10⁻⁹ of the way there`, `found from a factor of 1.000001`: the mildest size that is found. */
export function describeSmallest({ smallest, unit }: Omit<NonNullable<Proof['limit']>, 'rule'>): string {
  const size = formatSize(smallest);
  return unit === 'times' ? `found from a factor of ${size}` : `found from ${size} ${unit}`;
}

/** `10⁻⁹`, `0.0001`, `1,000`. */
function formatSize(size: number): string {
  const power = /^1e-(\d+)$/.exec(String(size))?.[1];
  if (power === undefined) return size.toLocaleString('en-US', { maximumFractionDigits: 15 });
  return `10⁻${[...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`;
}
