import { declareFaults } from './fault.ts';
import { bendTokens } from './types.ts';

export const tokenFaults = declareFaults('tokens', {
  'F89 token-listed-twice': {
    title: 'the first token is listed a second time',
    breaks: ['tokens/ids-are-unique'],
    make: () => ({ tokens: (tokens) => [...tokens, ...tokens.slice(0, 1)] }),
  },
  'F90 token-id-with-leading-zero': {
    title: 'the last part of a token id has a leading zero',
    breaks: ['tokens/id-is-three-integers'],
    make: () => bendTokens((token) => ({ ...token, id: String(token.id).replace(/\.(?=\d+$)/, '.0') })),
  },
  'F183 token-list-of-a-lagging-server': {
    title: 'each second token list lacks its last token',
    breaks: ['tokens/list-stays'],
    make: () => {
      let lists = 0;
      return { tokens: (tokens) => (++lists % 2 === 0 ? tokens.slice(0, -1) : tokens) };
    },
  },
  'F91 token-list-is-capped': {
    title: 'the token list ends after 25 tokens',
    alters: ['tokens/count'],
    shows: 'two checks',
    sizes: { unit: 'tokens', usual: 25, scale: [100, 39, 35, 30, 25] },
    make: (size) => ({ tokens: (tokens) => tokens.slice(0, Math.round(size)) }),
  },
  'F92 dollars-of-the-next-token': {
    title: 'priceUsd is that of the next token in the list',
    alters: ['tokens/unit-of-price'],
    make: () => ({
      tokens: (tokens) =>
        tokens.map((token, index) => ({
          ...token,
          priceUsd: tokens[(index + 1) % tokens.length]?.priceUsd,
        })),
    }),
  },
  'F196 one-token-in-dimes': {
    title: 'priceUsd of the first token is ten times its worth',
    breaks: ['tokens/usd-price-fits-the-price'],
    sizes: { unit: 'times', usual: 10, scale: [2, 10, 1000] },
    make: (size) => ({
      tokens: ([first, ...others]) =>
        first ? [{ ...first, priceUsd: Number(first.priceUsd) * size }, ...others] : others,
    }),
  },
  'F93 unpriced-token-below-zero': {
    title: 'priceUsd is -1 where a token has no price',
    breaks: ['tokens/usd-price-is-not-negative'],
    make: () => bendTokens((token) => (token.price === '0' ? { ...token, priceUsd: -1 } : token)),
  },
  'F93b unpriced-token-of-null': {
    title: 'priceUsd is null where a token has no price',
    breaks: ['tokens/documented-types'],
    make: () => bendTokens((token) => (token.price === '0' ? { ...token, priceUsd: null } : token)),
  },
  'F138 decimals-below-zero': {
    title: 'decimals is -1 where they are not known',
    breaks: ['tokens/decimals-are-a-count'],
    make: () => bendTokens((token) => (token.price === '0' ? { ...token, decimals: -1 } : token)),
  },
  'F138b decimals-of-a-contract': {
    title: 'decimals is 255 where a contract tells no other',
    breaks: ['tokens/decimals-are-sane'],
    make: () => bendTokens((token) => (token.price === '0' ? { ...token, decimals: 255 } : token)),
  },
  'F139 undecided-tokens-lack-a-flag': {
    title: 'dueDiligenceComplete is missing where it is false',
    breaks: ['tokens/all-fields-present'],
    make: () =>
      bendTokens(({ dueDiligenceComplete: isComplete, ...token }) =>
        isComplete ? { ...token, dueDiligenceComplete: true } : token,
      ),
  },
  'F140 symbol-of-blanks': {
    title: 'the symbol of a token without a price is blank',
    breaks: ['tokens/symbol-is-visible'],
    make: () => bendTokens((token) => (token.price === '0' ? { ...token, symbol: ' ' } : token)),
  },
  'F141 no-tokens': {
    title: 'the token list is empty',
    breaks: ['tokens/list-is-filled'],
    alters: ['tokens/count'],
    make: () => ({ tokens: () => [] }),
  },
});
