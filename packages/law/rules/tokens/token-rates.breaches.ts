import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { everyRow, type Fields, fields } from '../../worlds/damage.ts';

const rule = 'tokens/usd-price-fits-the-price';

const forty = { rule, at: 'tokens', world: { tokens: 40 } } as const;

const multiplyUsd =
  (factor: number) =>
  ({ priceUsd }: Fields): Fields => ({ priceUsd: Number(priceUsd) * factor });

export const tokenRateBreaches: readonly BreachCase[] = [
  {
    ...forty,
    what: 'one token of forty at ten times its worth',
    damage: fields(3, multiplyUsd(10)),
    pointer: '/*/priceUsd',
    expected: /^about [\d.e-]+ USD, its price at the rate of 39 other tokens$/,
    actual: /^[\d.e-]+$/,
  },
  {
    ...forty,
    what: 'the coin that all others are priced in at ten times its worth',
    damage: fields(0, multiplyUsd(10)),
    pointer: '/*/priceUsd',
    expected: /^about 0\.05 USD, its price at the rate of 39 other tokens$/,
    actual: '0.5',
  },
  {
    ...forty,
    what: 'one token of forty at nothing, though it has a price',
    damage: fields(3, { priceUsd: 0 }),
    pointer: '/*/priceUsd',
    expected: /^about [\d.e-]+ USD/,
    actual: '0',
  },
  {
    ...forty,
    what: 'two of three hundred tokens at less than half their worth',
    world: { tokens: 300 },
    damage: everyRow((token, row) => (row === 3 || row === 4 ? multiplyUsd(0.4)(token) : {})),
    pointer: '/*/priceUsd',
    count: 2,
    expected: /^about [\d.e-]+ USD, its price at the rate of 298 other tokens$/,
    actual: /^[\d.e-]+$/,
  },
];

export const tokenRateNearMisses: readonly NearMiss[] = [
  { ...forty, what: 'one token that was repriced by a third', damage: fields(3, multiplyUsd(1.33)) },
  {
    ...forty,
    what: 'two tokens of forty that mean another unit, which is observed',
    damage: everyRow((token, row) => (row === 5 || row === 7 ? multiplyUsd(100)(token) : {})),
    evidence: 1,
  },
  {
    ...forty,
    what: 'few tokens, which show no rate',
    world: { tokens: 6 },
    damage: fields(3, multiplyUsd(10)),
    outcome: 'unexercised',
  },
];
