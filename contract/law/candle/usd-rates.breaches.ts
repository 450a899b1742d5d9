import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { everyRow, type Fields, fields } from '../../worlds/damage.ts';

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
    also: ['latest/intervals-agree'],
  },
];

export const usdRateNearMisses: readonly NearMiss[] = [
  {
    rule,
    what: 'a pool whose volumes are all in another unit than its liquidity',
    at: 'recent HOUR of 2',
    damage: everyRow(({ volume }) => ({ volume: `${Number(volume) * 1000}` })),
  },
  {
    rule,
    what: 'a week whose coin fell to a hundredth',
    at: 'recent HOUR of 2',
    damage: fields(20, ({ volumeUsd }) => ({ volumeUsd: (Number(volumeUsd) * 100).toFixed(2) })),
  },
];
