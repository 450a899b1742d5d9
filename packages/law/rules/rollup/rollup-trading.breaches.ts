import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { everyRow, type Fields, fields } from '../../worlds/damage.ts';

const inWeeks = { at: 'recent WEEK', world: { trading: true } } as const;

function tradingBreach(
  rule: string,
  field: string,
  change: (record: Fields) => Fields,
  expected: RegExp,
): BreachCase {
  const damage = fields(-2, change);
  const what = `a week whose ${field} is not that of its days`;
  return { ...inWeeks, rule, what, damage, pointer: `/*/${field}`, expected, actual: /\d/, drawn: 8 };
}

export const tradingRollUpBreaches: readonly BreachCase[] = [
  tradingBreach(
    'rollup/quote-volume-is-summed',
    'quoteVolume',
    ({ quoteVolume }) => ({ quoteVolume: String(2 * Number(quoteVolume) + 1000) }),
    /^\d+, the sum of its 7 parts$/,
  ),
  tradingBreach(
    'rollup/trades-are-summed',
    'trades',
    ({ trades }) => ({ trades: Number(trades) - 1 }),
    /^\d+, the sum of its 7 parts$/,
  ),
  tradingBreach(
    'rollup/vwap-is-weighted',
    'vwap',
    ({ vwap }) => ({ vwap: Number(vwap) * 1.0001 }),
    /^0\.\d+, the mean of its 7 parts by volume$/,
  ),
];

export const tradingRollUpNearMisses: readonly NearMiss[] = [
  {
    ...inWeeks,
    rule: 'rollup/vwap-is-weighted',
    what: 'means of six digits',
    damage: everyRow(({ vwap }) => ({ vwap: Number(Number(vwap).toPrecision(6)) })),
  },
];
