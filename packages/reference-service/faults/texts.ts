import type { JsonObject } from '../api/message.ts';
import { declareFaults } from './fault.ts';
import { bendTokens } from './types.ts';

export const textFaults = declareFaults('text', {
  'F14 amounts-with-exponent': {
    title: 'tinybars of eleven digits or more have an exponent, such as 1.2e+21',
    breaks: ['candle/amounts-are-decimal-text'],
    sizes: { unit: 'digits from which on', usual: 11, scale: [21, 15, 13, 11] },
    make: (digits) => ({
      form: (form) => ({
        ...form,
        volume: withExponent(form.volume, digits),
        liquidity: withExponent(form.liquidity, digits),
      }),
    }),
  },
  'F15 worth-of-nothing-is-nan': {
    title: 'volumeUsd is "NaN" where nothing was traded',
    breaks: ['candle/amounts-are-decimal-text'],
    make: () => ({ form: (form) => (isIdle(form) ? { ...form, volumeUsd: 'NaN' } : form) }),
  },
  'F16 grouped-digits': {
    title: 'volume has commas between its thousands',
    breaks: ['candle/amounts-are-decimal-text'],
    make: () => ({
      form: (form) => ({ ...form, volume: String(form.volume).replace(/\B(?=(\d{3})+$)/g, ',') }),
    }),
  },
  'F16b empty-volume': {
    title: 'volume is empty text where nothing was traded',
    breaks: ['candle/amounts-are-decimal-text'],
    make: () => ({ form: (form) => (isIdle(form) ? { ...form, volume: '' } : form) }),
  },
  'F17 price-with-fraction': {
    title: 'the price of a token ends in .0',
    breaks: ['tokens/price-is-integer-text'],
    make: () => bendTokens((token) => ({ ...token, price: `${token.price}.0` })),
  },
  'F18 average-of-null': {
    class: 'null',
    title: 'avg is null where nothing was traded',
    breaks: ['candle/documented-types'],
    make: () => ({ form: (form) => (isIdle(form) ? { ...form, avg: null } : form) }),
  },
});

/** Returns whether nothing was traded in this candle. */
function isIdle(form: JsonObject): boolean {
  return Number(form.volume) === 0;
}

function withExponent(amount: unknown, digits: number): unknown {
  const isLong = typeof amount === 'string' && amount.length >= digits;
  return isLong ? Number(amount).toExponential() : amount;
}
