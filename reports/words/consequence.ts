/** What a broken rule costs who uses the API, the worst first: what misleads silently before what fails at once. */
export const consequences = [
  {
    words: 'Prices are wrong',
    of: [
      'candle/pool-is-as-asked',
      'candle/high-is-highest',
      'candle/low-is-lowest',
      'candle/average-is-within-range',
      'candle/prices-are-positive',
      'history/closed-candles-stay',
      'history/no-row-is-copied',
      'history/pools-differ',
      'latest/intervals-agree',
      'latest/only-grows',
      'tokens/price-is-integer-text',
      'tokens/usd-price-is-not-negative',
      'rollup/',
      'inversion/',
    ],
  },
  {
    words: 'Access is not guarded',
    of: ['authentication/', 'transport/no-data-over-plain-http', 'transport/keyed-answers-are-private'],
  },
  {
    words: 'Amounts are wrong',
    of: [
      'candle/usd-agrees-with-tinybars',
      'inversion/tinybars-stay',
      'inversion/usd-stays',
      'latest/usd-volume-only-grows',
      'rollup/liquidity-is-of-the-end',
      'rollup/usd-volume-is-summed',
      'rollup/volume-is-summed',
    ],
  },
  {
    words: 'Candles are missing or misplaced',
    of: ['candle/', 'history/', 'inversion/same-candles', 'latest/starts-nest', 'rollup/parents-and-parts'],
  },
  { words: 'The latest is stale', of: ['latest/'] },
  {
    words: 'Clients cannot read it',
    of: [
      'candle/all-fields-present',
      'candle/amounts-are-decimal-text',
      'candle/documented-types',
      'history/answer-is-a-list',
      'latest/answer-is-one-candle',
      'tokens/answer-is-a-list',
      'tokens/documented-types',
      'transport/length-agrees',
      'transport/proper-requests-are-answered',
      'transport/strict-json',
    ],
  },
  { words: 'Tokens are wrong', of: ['tokens/'] },
  { words: 'The quota is miscounted', of: ['quota/'] },
  {
    words: 'Headers or errors mislead',
    of: ['transport/', 'errors/', 'authentication/header-name-in-any-case'],
  },
] as const satisfies readonly { readonly words: string; readonly of: readonly string[] }[];

/** Rank of what follows from a rule, 0 the worst; of a rule that no list names, the number of all. */
export function consequenceOf(rule: string): number {
  const rankOf = (name: string): number =>
    consequences.findIndex(({ of }) => (of as readonly string[]).includes(name));
  const own = rankOf(rule);
  const rank = own < 0 ? rankOf(rule.slice(0, rule.indexOf('/') + 1)) : own;
  return rank < 0 ? consequences.length : rank;
}

/** `Prices are wrong`. */
export function consequenceWords(rank: number): string {
  return consequences[rank]?.words ?? 'Another statement is broken';
}
