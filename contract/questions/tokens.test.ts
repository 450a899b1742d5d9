import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { changeOf, pinAfter } from '../baseline-pins.ts';
import { damaged, everyRow, fields, rows } from '../testing/damage.ts';
import { answerIn, inWorld } from '../testing/observed.ts';
import { type Recorded, record } from '../testing/recorded.ts';
import { usualWorld } from '../testing/world.ts';

const forty = record({ ...usualWorld, tokens: 40 });
const unit = 'a hundred-millionth of one coin';

function unitOf(recorded: Recorded): string | undefined {
  return answerIn('tokens/unit-of-price', recorded);
}

test('the unit of token prices is confirmed by what they are worth', () => {
  expect(inWorld('tokens/unit-of-price')).toBe(unit);
  expect(unitOf(damaged(forty, 'tokens', fields(3, { priceUsd: 1e6 })))).toBe(
    `${unit} for most tokens, not for all`,
  );
});

test('the worth of one coin is also found where no token costs one', () => {
  const without = damaged(
    forty,
    'tokens',
    rows((all) => all.slice(1)),
  );
  expect(unitOf(without)).toBe(unit);
});

test('prices in another unit for each token are told', () => {
  const scaled = everyRow(({ priceUsd, decimals }) => ({
    priceUsd: Number(priceUsd) / 10 ** Number(decimals),
  }));
  expect(unitOf(damaged(forty, 'tokens', scaled))).toBe('none that priceUsd agrees with');
});

test('forms of a field count where it is null or left out', () => {
  const bent = damaged(
    forty,
    'tokens',
    everyRow((_, row) => (row === 2 ? { icon: null } : row === 3 ? { symbol: undefined } : {})),
  );
  const told = answerIn('tokens/forms', bent)?.split(', ');
  expect(told).toContain('icon null or string');
  expect(told).toContain('symbol left out or string');
  expect(told).toContain('decimals number');
});

test('a fifth of the tokens gone is a change, a twentieth more or less is none', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 400 }), fc.double({ min: -0.05, max: 0.05 }), (count, share) => {
      const told = (tokens: number): string => inWorld('tokens/count', { tokens }) ?? '';
      const pin = pinAfter('tokens/count', undefined, told(count));
      expect(changeOf('tokens/count', pin, told(Math.round(count * (1 + share))))).toBeUndefined();
      expect(changeOf('tokens/count', pin, told(Math.floor(count * 0.79)))).toBe(pin);
    }),
    { numRuns: 10 },
  );
});
