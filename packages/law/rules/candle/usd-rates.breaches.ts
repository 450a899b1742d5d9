import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { everyRow, type Fields, fields, rows } from '../../worlds/damage.ts';

const rule = 'candle/amounts-keep-their-unit';

/** A volume in whole coins beside one in tinybars. */
const countInCoins = ({ volume }: Fields): Fields => ({ volume: String(Math.floor(Number(volume) / 1e8)) });

export const usdRateBreaches: readonly BreachCase[] = [
  {
    rule,
    what: 'the volume of one old week in whole coins',
    at: 'recent WEEK',
    damage: fields(0, countInCoins),
    pointer: '/*/volume',
    expected: /^a volume worth about (0\.9\d*|1|1\.0\d*) times as much as its liquidity, unit for unit/,
    actual: /^\d+000000 times \(\d+ for [\d.]+ USD\)$/,
    also: ['inversion/tinybars-stay'],
  },
  {
    rule,
    what: 'the volume of the latest week in whole coins',
    at: 'latest WEEK',
    damage: fields(0, countInCoins),
    pointer: '/volume',
    expected: /^a volume worth about/,
    actual: /000000 times/,
    also: ['candle/usd-volumes-keep-their-magnitude', 'latest/intervals-agree'],
  },
];

const moment = 'candle/liquidity-has-the-rate-of-its-time';

/** Converts the liquidity of all rows at one rate, that of the newest. */
const atNewestRate = rows((list) => {
  const { liquidity, liquidityUsd } = list.at(-1) ?? {};
  const rate = Number(liquidityUsd) / Number(liquidity);
  return list.map((row) => ({ ...row, liquidityUsd: (rate * Number(row.liquidity)).toFixed(2) }));
});

export const momentBreaches: readonly BreachCase[] = [
  {
    rule: moment,
    what: 'five minutes of a week whose liquidity has the rate of the last',
    at: 'week FIVEMIN',
    damage: atNewestRate,
    pointer: '/*/liquidityUsd',
    expected:
      /^liquidity at a rate that moves with that of the candle’s volume, [\d.]+ USD for each 10⁸ tinybars$/,
    actual: /^[\d.]+ USD, [\d.]+ for each; [\d.]+ % further apart than usual in the middle of \d+ rows$/,
    also: ['rollup/liquidity-is-of-the-end'],
  },
];

export const momentNearMisses: readonly NearMiss[] = [
  {
    rule: moment,
    what: 'liquidity that is converted a tenth of a percent lower',
    at: 'recent HOUR of 2',
    damage: everyRow(({ liquidityUsd }) => ({ liquidityUsd: (Number(liquidityUsd) * 0.999).toFixed(2) })),
  },
];

export const usdRateNearMisses: readonly NearMiss[] = [
  {
    rule,
    what: 'a week whose coin fell to a hundredth',
    at: 'recent HOUR of 2',
    damage: fields(20, ({ volumeUsd }) => ({ volumeUsd: (Number(volumeUsd) * 100).toFixed(2) })),
  },
];
