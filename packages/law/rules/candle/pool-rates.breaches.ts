import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { everyRow, fields } from '../../worlds/damage.ts';

const rule = 'candle/pools-share-a-usd-rate';

/** Multiplies an amount in USD. */
const times = (field: string, factor: number) =>
  everyRow((row) => ({ [field]: (Number(row[field]) * factor).toFixed(2) }));

export const poolRateBreaches: readonly BreachCase[] = [
  {
    rule,
    at: 'recent HOUR of 2',
    what: 'volumes of one pool in USD with a fee of 1 %',
    damage: times('volumeUsd', 1.01),
    pointer: '/*/volumeUsd',
    expected: /^volume worth about [\d.]+ USD for each 10⁸ tinybars, as in the other pools in this interval$/,
    actual:
      /^[\d.]+ USD for \d+, [\d.]+ each; (0\.9\d*|1|1\.\d) % more than theirs in the middle of \d+ rows$/,
  },
  {
    rule,
    at: 'recent HOUR of 2',
    what: 'liquidity of one pool at the rate of another day',
    damage: times('liquidityUsd', 0.97),
    pointer: '/*/liquidityUsd',
    expected: /^liquidity worth about/,
    actual: /; 3(\.\d)? % less than theirs in the middle of \d+ rows$/,
  },
  ...[2, 100, 1e4, 1e8].flatMap((factor) =>
    (['liquidity', 'volume'] as const).map(
      (flow): BreachCase => ({
        rule,
        at: 'recent HOUR of 2',
        what: `${flow} of one pool in a unit of USD that is ${factor} times smaller`,
        damage: times(`${flow}Usd`, factor),
        pointer: `/*/${flow}Usd`,
        expected: new RegExp(`^${flow} worth about`),
        actual: / times theirs in the middle of \d+ rows$/,
      }),
    ),
  ),
];

export const poolRateNearMisses: readonly NearMiss[] = [
  {
    rule,
    at: 'recent HOUR of 2',
    what: 'one volume in USD that is twice as high',
    damage: fields(10, ({ volumeUsd }) => ({ volumeUsd: (Number(volumeUsd) * 2).toFixed(2) })),
  },
];
