import { catalogue } from '../../contract/law/catalogue.ts';
import { type Consequence, ruleFacts } from '../../contract/law/facts.ts';

/** Words for the cost of a broken rule, the worst first: silent errors come before failures that show at once. */
const words: Readonly<Record<Consequence, string>> = {
  prices: 'Prices are wrong',
  access: 'Access is not guarded',
  amounts: 'Amounts are wrong',
  rows: 'Candles are missing or misplaced',
  latest: 'The latest is stale',
  form: 'Clients cannot read it',
  tokens: 'Tokens are wrong',
  quota: 'The quota is miscounted',
  headers: 'Headers or errors mislead',
};

const ranked = Object.keys(words) as Consequence[];

const rulesById = new Map(catalogue.rules.map((rule) => [rule.id, rule]));

/** Words a broken rule by its id; undefined for a rule outside the catalogue. */
export function brokenRule(id: string): string | undefined {
  return rulesById.get(id)?.broken;
}

/** Returns the consequence of a rule by its id, or of its group for a rule outside the catalogue. */
export function findConsequence(id: string): Consequence | undefined {
  return ruleFacts(rulesById.get(id) ?? { id })?.consequence;
}

/** Returns the rank of a rule's consequence, 0 for the worst; one after the last for a rule of no known group. */
export function rankConsequence(id: string): number {
  const consequence = findConsequence(id);
  return consequence === undefined ? ranked.length : ranked.indexOf(consequence);
}

/** Words a rank: `Prices are wrong`. */
export function consequenceWords(rank: number): string {
  const consequence = ranked[rank];
  return consequence === undefined ? 'Another statement is broken' : words[consequence];
}
