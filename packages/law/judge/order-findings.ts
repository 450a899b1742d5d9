import { catalogue } from '../rules/catalogue.ts';
import { type Consequence, consequences, levelRank, ruleFacts } from '../rules/facts.ts';
import type { Finding } from './verdict.ts';

const rulesById = new Map(catalogue.rules.map((rule) => [rule.id, rule]));

/** Returns the consequence of a rule by its id, or of its group for a rule outside the catalogue. */
export function findConsequence(id: string): Consequence | undefined {
  return ruleFacts(rulesById.get(id) ?? { id })?.consequence;
}

/** Returns the rank of a rule's consequence, 0 for the worst; one after the last for a rule of no known group. */
export function rankConsequence(id: string): number {
  const consequence = findConsequence(id);
  return consequence === undefined ? consequences.length : consequences.indexOf(consequence);
}

/**
 * Puts findings in the order that numbers them in every report and for a replay: musts first, new before known, the
 * worst consequence first.
 */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  const rank = ({ level, known }: Finding): number => 2 * levelRank[level] + (known ? 1 : 0);
  return findings.toSorted((a, b) => rank(a) - rank(b) || rankConsequence(a.rule) - rankConsequence(b.rule));
}
