import { declareFaults } from './fault.ts';
import { bendTokens } from './types.ts';

export const tokenFaults = declareFaults('tokens', [
  {
    id: 'token-listed-twice',
    number: 'F89',
    title: 'the first token is listed a second time',
    breaks: ['tokens/ids-are-unique'],
    make: () => ({ tokens: (tokens) => [...tokens, ...tokens.slice(0, 1)] }),
  },
  {
    id: 'token-id-with-leading-zero',
    number: 'F90',
    title: 'the last part of a token id has a leading zero',
    breaks: ['tokens/id-is-three-integers'],
    make: () => bendTokens((token) => ({ ...token, id: String(token.id).replace(/\.(?=\d+$)/, '.0') })),
  },
  {
    id: 'token-list-of-a-lagging-server',
    number: 'F183',
    title: 'each second token list lacks its last token',
    breaks: ['tokens/list-stays'],
    make: () => {
      let lists = 0;
      return { tokens: (tokens) => (++lists % 2 === 0 ? tokens.slice(0, -1) : tokens) };
    },
  },
  {
    id: 'token-list-is-capped',
    number: 'F91',
    title: 'the token list ends after 25 tokens',
    alters: ['tokens/count'],
    shows: 'two checks',
    sizes: { unit: 'tokens', usual: 25, scale: [100, 39, 35, 30, 25] },
    make: (size) => ({ tokens: (tokens) => tokens.slice(0, Math.round(size)) }),
  },
  {
    id: 'dollars-of-the-next-token',
    number: 'F92',
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
  {
    id: 'one-token-in-dimes',
    number: 'F196',
    title: 'priceUsd of the first token is ten times its worth',
    breaks: ['tokens/usd-price-fits-the-price'],
    sizes: { unit: 'times', usual: 10, scale: [2, 10, 1000] },
    make: (size) => ({
      tokens: ([first, ...others]) =>
        first ? [{ ...first, priceUsd: Number(first.priceUsd) * size }, ...others] : others,
    }),
  },
  {
    id: 'unpriced-token-below-zero',
    number: 'F93',
    title: 'priceUsd is -1 where a token has no price',
    breaks: ['tokens/usd-price-is-not-negative'],
    make: () => bendTokens((token) => (token.price === '0' ? { ...token, priceUsd: -1 } : token)),
  },
  {
    id: 'unpriced-token-of-null',
    number: 'F93b',
    title: 'priceUsd is null where a token has no price',
    breaks: ['tokens/documented-types'],
    make: () => bendTokens((token) => (token.price === '0' ? { ...token, priceUsd: null } : token)),
  },
  {
    id: 'decimals-below-zero',
    number: 'F138',
    title: 'decimals is -1 where they are not known',
    breaks: ['tokens/decimals-are-a-count'],
    make: () => bendTokens((token) => (token.price === '0' ? { ...token, decimals: -1 } : token)),
  },
  {
    id: 'decimals-of-a-contract',
    number: 'F138b',
    title: 'decimals is 255 where a contract tells no other',
    breaks: ['tokens/decimals-are-sane'],
    make: () => bendTokens((token) => (token.price === '0' ? { ...token, decimals: 255 } : token)),
  },
  {
    id: 'undecided-tokens-lack-a-flag',
    number: 'F139',
    title: 'dueDiligenceComplete is missing where it is false',
    breaks: ['tokens/all-fields-present'],
    make: () =>
      bendTokens(({ dueDiligenceComplete: isComplete, ...token }) =>
        isComplete ? { ...token, dueDiligenceComplete: true } : token,
      ),
  },
  {
    id: 'symbol-of-blanks',
    number: 'F140',
    title: 'the symbol of a token without a price is blank',
    breaks: ['tokens/symbol-is-visible'],
    make: () => bendTokens((token) => (token.price === '0' ? { ...token, symbol: ' ' } : token)),
  },
  {
    id: 'no-tokens',
    number: 'F141',
    title: 'the token list is empty',
    breaks: ['tokens/list-is-filled'],
    alters: ['tokens/count'],
    make: () => ({ tokens: () => [] }),
  },
]);
