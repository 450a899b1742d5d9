import type { Distortion } from '../api/distortion.ts';
import type { JsonObject } from '../api/message.ts';
import { declareFaults } from './fault.ts';

export const typeFaults = declareFaults('types', {
  'F7 numeric-volume': {
    title: 'volume is a JSON number instead of text',
    breaks: ['candle/documented-types'],
    make: () => candleField('volume', Number),
  },
  'F8 open-as-text': {
    title: 'open is text instead of a number',
    breaks: ['candle/documented-types'],
    make: () => candleField('open', String),
  },
  'F9 end-as-text': {
    title: 'timestampSeconds is text instead of a number',
    breaks: ['candle/documented-types'],
    make: () => candleField('timestampSeconds', String),
  },
  'F10 pool-as-text': {
    title: 'poolId is text instead of a number',
    breaks: ['candle/documented-types'],
    make: () => candleField('poolId', String),
  },
  'F11 flags-as-numbers': {
    title: 'the flags of a token are 0 and 1',
    breaks: ['tokens/documented-types'],
    make: () =>
      bendTokens((token) => ({
        ...token,
        dueDiligenceComplete: Number(token.dueDiligenceComplete),
        isFeeOnTransferToken: Number(token.isFeeOnTransferToken),
      })),
  },
  'F12 decimals-as-text': {
    title: 'decimals is text instead of a number',
    breaks: ['tokens/documented-types'],
    make: () => bendTokens((token) => ({ ...token, decimals: String(token.decimals) })),
  },
  'F13 numeric-token-price': {
    title: 'price is a JSON number, which loses the digits beyond 2^53',
    breaks: ['tokens/documented-types'],
    make: () => bendTokens((token) => ({ ...token, price: Number(token.price) })),
  },
  'F19 icon-of-null': {
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
});

function candleField(field: string, convert: (value: unknown) => unknown): Distortion {
  return { form: (form) => ({ ...form, [field]: convert(form[field]) }) };
}

/** Bends each token of the list. */
export function bendTokens(bent: (token: JsonObject, index: number) => JsonObject): Distortion {
  return { tokens: (tokens) => tokens.map(bent) };
}
