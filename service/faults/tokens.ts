import type { Fault } from './fault.ts';
import { eachToken } from './types.ts';

export const tokenFaults: readonly Fault[] = [
  {
    id: 'token-listed-twice',
    number: 'F89',
    class: 'tokens',
    title: 'the first token is listed a second time',
    breaks: ['tokens/ids-are-unique'],
    shows: 'one check',
    make: () => ({ tokens: (tokens) => [...tokens, ...tokens.slice(0, 1)] }),
  },
  {
    id: 'token-id-with-leading-zero',
    number: 'F90',
    class: 'tokens',
    title: 'the last part of a token id has a leading zero',
    breaks: ['tokens/id-is-three-integers'],
    shows: 'one check',
    make: () => eachToken((token) => ({ ...token, id: String(token.id).replace(/\.(?=\d+$)/, '.0') })),
  },
  {
    id: 'token-list-is-capped',
    number: 'F91',
    class: 'tokens',
    title: 'the token list ends after 25 tokens',
    breaks: [],
    alters: ['tokens/count'],
    shows: 'two checks',
    sizes: { unit: 'tokens', usual: 25, scale: [100, 39, 35, 30, 25] },
    make: (size) => ({ tokens: (tokens) => tokens.slice(0, Math.round(size)) }),
  },
  {
    id: 'dollars-of-the-next-token',
    number: 'F92',
    class: 'tokens',
    title: 'priceUsd is that of the next token in the list',
    breaks: [],
    alters: ['tokens/unit-of-price'],
    shows: 'one check',
    make: () => ({
      tokens: (tokens) =>
        tokens.map((token, index) => ({
          ...token,
          priceUsd: tokens[(index + 1) % tokens.length]?.priceUsd,
        })),
    }),
  },
  {
    id: 'unpriced-token-below-zero',
    number: 'F93',
    class: 'tokens',
    title: 'priceUsd is -1 where a token has no price',
    breaks: ['tokens/usd-price-is-not-negative'],
    shows: 'one check',
    make: () => eachToken((token) => (token.price === '0' ? { ...token, priceUsd: -1 } : token)),
  },
  {
    id: 'unpriced-token-of-null',
    number: 'F93b',
    class: 'tokens',
    title: 'priceUsd is null where a token has no price',
    breaks: ['tokens/documented-types'],
    shows: 'one check',
    make: () => eachToken((token) => (token.price === '0' ? { ...token, priceUsd: null } : token)),
  },
];
