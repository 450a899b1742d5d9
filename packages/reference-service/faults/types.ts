import type { Distortion } from '../api/distortion.ts';
import type { JsonObject } from '../api/message.ts';
import { declareFaults } from './fault.ts';

export const typeFaults = declareFaults('types', [
  {
    id: 'numeric-volume',
    number: 'F7',
    title: 'volume is a JSON number instead of text',
    breaks: ['candle/documented-types'],
    make: () => candleField('volume', Number),
  },
  {
    id: 'open-as-text',
    number: 'F8',
    title: 'open is text instead of a number',
    breaks: ['candle/documented-types'],
    make: () => candleField('open', String),
  },
  {
    id: 'end-as-text',
    number: 'F9',
    title: 'timestampSeconds is text instead of a number',
    breaks: ['candle/documented-types'],
    make: () => candleField('timestampSeconds', String),
  },
  {
    id: 'pool-as-text',
    number: 'F10',
    title: 'poolId is text instead of a number',
    breaks: ['candle/documented-types'],
    make: () => candleField('poolId', String),
  },
  {
    id: 'flags-as-numbers',
    number: 'F11',
    title: 'the flags of a token are 0 and 1',
    breaks: ['tokens/documented-types'],
    make: () =>
      bendTokens((token) => ({
        ...token,
        dueDiligenceComplete: Number(token.dueDiligenceComplete),
        isFeeOnTransferToken: Number(token.isFeeOnTransferToken),
      })),
  },
  {
    id: 'decimals-as-text',
    number: 'F12',
    title: 'decimals is text instead of a number',
    breaks: ['tokens/documented-types'],
    make: () => bendTokens((token) => ({ ...token, decimals: String(token.decimals) })),
  },
  {
    id: 'numeric-token-price',
    number: 'F13',
    title: 'price is a JSON number, which loses the digits beyond 2^53',
    breaks: ['tokens/documented-types'],
    make: () => bendTokens((token) => ({ ...token, price: Number(token.price) })),
  },
  {
    id: 'icon-of-null',
    number: 'F19',
    class: 'null',
    title: 'every second token has null as its icon, and the others a whole URL',
    breaks: ['tokens/documented-types', 'tokens/icon-is-relative'],
    alters: ['tokens/forms'],
    make: () =>
      bendTokens((token, index) => ({
        ...token,
        icon: index % 2 === 0 ? null : `https://images.example${token.icon}`,
      })),
  },
]);

function candleField(field: string, convert: (value: unknown) => unknown): Distortion {
  return { form: (form) => ({ ...form, [field]: convert(form[field]) }) };
}

/** Bends each token of the list. */
export function bendTokens(bent: (token: JsonObject, index: number) => JsonObject): Distortion {
  return { tokens: (tokens) => tokens.map(bent) };
}
