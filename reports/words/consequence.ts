import { catalogue } from '@candleproof/law/rules/catalogue';
import { type Consequence, consequences } from '@candleproof/law/rules/facts';

const words: Readonly<Record<Consequence, string>> = {
  prices: 'Prices are wrong',
  access: 'Data is served without a valid key',
  amounts: 'Amounts are wrong',
  rows: 'Candles are missing or misplaced',
  latest: 'The latest is stale',
  form: 'Clients cannot parse the data',
  tokens: 'Tokens are wrong',
  quota: 'Quota headers are missing or wrong',
  headers: 'Headers or errors mislead',
};

const rulesById = new Map(catalogue.rules.map((rule) => [rule.id, rule]));

/** Words a broken rule by its id; undefined for a rule outside the catalogue. */
export function brokenRule(id: string): string | undefined {
  return rulesById.get(id)?.broken;
}

/** Words a rank: `Prices are wrong`. */
export function consequenceWords(rank: number): string {
  const consequence = consequences[rank];
  return consequence === undefined ? 'Another statement is broken' : words[consequence];
}
