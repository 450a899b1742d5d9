import { expect, test } from '@playwright/test';
import { answerInWorld, findAnswer } from '../../worlds/breach-case.ts';
import {
  type Distort,
  damageExchange,
  everyRow,
  type Fields,
  fields,
  withExchanges,
} from '../../worlds/damage.ts';
import { type NamedRecording, record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

const usual = record(usualWorld);

/** Changes one field in all candles of these requests. */
function bent(names: RegExp, change: (record: Fields) => Fields): NamedRecording {
  const damage = (name: string): Distort =>
    name.startsWith('latest') ? fields(0, change) : everyRow(change);
  return withExchanges(usual, (all) =>
    all.map((exchange, at) => {
      const name = usual.names[at] ?? '';
      return names.test(name) && !name.endsWith('unkeyed') ? damage(name)(exchange) : exchange;
    }),
  );
}

test('volume and liquidity are worth USD at one rate, or at powers of ten', () => {
  expect(answerInWorld('candle/usd-rates-agree')).toBe('one rate');
  const coins = bent(/^(recent|week)/, ({ volume }) => ({
    volume: String(Math.round(Number(volume) / 1e4)),
  }));
  expect(findAnswer('candle/usd-rates-agree', coins)).toBe('a rate about 10^4 times as high');
});

test('amounts below some dollars tell no rate', () => {
  const poor = bent(/^(recent|week)/, () => ({ volumeUsd: '0.04' }));
  expect(findAnswer('candle/usd-rates-agree', poor)).toBeUndefined();
});

test('candles reckon with the coin of the token list, or with another', () => {
  expect(answerInWorld('tokens/coin-price-agrees')).toBe('one rate');
  const cents = damageExchange(
    usual,
    'tokens',
    everyRow(({ priceUsd }) => ({ priceUsd: Number(priceUsd) * 100 })),
  );
  expect(findAnswer('tokens/coin-price-agrees', cents)).toBe('a rate about 10^-2 times as high');
});

test('decimals of amounts are reported in classes', () => {
  expect(answerInWorld('candle/decimals')).toBe(
    'volume whole, liquidity whole, volumeUsd at most 2 decimals, liquidityUsd at most 2 decimals',
  );
  const doubles = bent(/^(recent|week|latest)/, ({ volume }) => ({ volume: `${volume}.0000000001` }));
  expect(findAnswer('candle/decimals', doubles)).toContain('volume more than 8 decimals');
});
