import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { type Fields, fields } from '../../worlds/damage.ts';

const rule = 'rollup/average-is-the-mean';

/** Five-minute candles of the whole week, which prove that none of its minutes is missing. */
const inFull = { scope: { weeks: 3, fineDays: 7 } } as const;

const averageFourPrices = ({ open, high, low, close }: Fields): Fields => ({
  avg: (Number(open) + Number(high) + Number(low) + Number(close)) / 4,
});

export const weekMeanBreaches: readonly BreachCase[] = [
  {
    rule,
    what: 'a closed week whose average is that of four prices',
    world: inFull,
    at: 'recent WEEK',
    damage: fields(-2, averageFourPrices),
    pointer: '/*/avg',
    expected: /, the mean of its 7 parts$/,
    actual: /, which is \(open \+ high \+ low \+ close\) \/ 4$/,
    also: ['inversion/average-is-of-inverses', 'inversion/averages-are-within-bounds'],
  },
];

export const weekMeanNearMisses: readonly NearMiss[] = [
  { rule, what: 'a closed week that is the mean of its days', world: inFull },
  { rule, what: 'a closed week of which minutes are missing', world: { ...inFull, outages: 0.02 } },
];
