import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  answeredList,
  damageExchange,
  type Fields,
  fields,
  rows,
  withoutRequests,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { days, price, row } from './rollup.breaches.ts';

const more = (field: string, amount: number) => (record: Fields) => ({
  [field]: String(Number((Number(record[field]) + amount).toFixed(2))),
});

const isOfTheDay = (_: unknown, at: number): boolean => at >= 24 * row && at < 24 * (row + 1);

/** Leaves out the week whose parts the days are. */
const weekless = (recorded: NamedRecording): NamedRecording =>
  withoutRequests(recorded, 'recent WEEK', 'recent WEEK inverted');

/** A day's volume in USD, in whole cents beside the sum of its hours. */
function centsBeside(cents: number, decimals = 2): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const hours = answeredList(recorded, 'week HOUR').filter(isOfTheDay);
    const total = hours.reduce((sum, hour) => sum + Math.round(100 * Number(hour.volumeUsd)), 0);
    return days(fields(row, { volumeUsd: ((total + cents) / 100).toFixed(decimals) }))(weekless(recorded));
  };
}

/** Reports one day and its hours in doubles: the day is their sum, moved by a share of it. */
function doubles(share: number): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const others = ['week HOUR inverted', 'week HOUR spelt', 'week HOUR first half', 'week HOUR second half'];
    const alone = withoutRequests(weekless(recorded), ...others);
    const inDoubles = ({ volumeUsd }: Fields): number => Number(volumeUsd) * 1.1 + 1000.1;
    const total = answeredList(recorded, 'week HOUR')
      .filter(isOfTheDay)
      .reduceRight((sum, hour) => sum + inDoubles(hour), 0);
    const reported = damageExchange(
      alone,
      'week HOUR',
      rows((list) =>
        list.map((candle, at) =>
          isOfTheDay(candle, at) ? { ...candle, volumeUsd: String(inDoubles(candle)) } : candle,
        ),
      ),
    );
    return days(fields(row, { volumeUsd: String(total * (1 + share)) }))(reported);
  };
}

/** Reports the hours of one day with a decimal, and the day without any, this far from their sum. */
function fractions(off: number): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const others = ['week HOUR inverted', 'week HOUR spelt', 'week HOUR first half', 'week HOUR second half'];
    const alone = withoutRequests(weekless(recorded), ...others);
    const reported = damageExchange(
      alone,
      'week HOUR',
      rows((list) =>
        list.map((candle, at) =>
          isOfTheDay(candle, at) ? { ...candle, volume: `${candle.volume}.5` } : candle,
        ),
      ),
    );
    return days(fields(row, ({ volume }) => ({ volume: String(Number(volume) + 12 + off) })))(reported);
  };
}

const inUsd = price(
  'rollup/usd-volume-is-summed',
  'volumeUsd',
  more('volumeUsd', 1),
  /^[\d.]+ ± 0\.\d+, the sum of its (7|24) parts$/,
);

export const amountBreaches: readonly BreachCase[] = [
  {
    ...price('rollup/volume-is-summed', 'volume', more('volume', 1), /^\d+, the sum of its (7|24) parts$/),
    count: 2,
    drawn: 8,
  },
  { ...inUsd, count: 2, drawn: 8 },
  price('rollup/liquidity-is-of-the-end', 'liquidity', more('liquidity', 1), /^\d+, as its last part$/),
  {
    rule: 'rollup/usd-volume-is-summed',
    what: 'a week that is worth its volume at the last rate',
    at: 'recent WEEK',
    damage: fields(-2, ({ volume, liquidity, liquidityUsd }) => ({
      volumeUsd: ((Number(volume) / Number(liquidity)) * Number(liquidityUsd)).toFixed(2),
    })),
    pointer: '/*/volumeUsd',
    expected: /^[\d.]+ ± 0\.\d+, the sum of its 7 parts$/,
    actual: /^[\d.]+, which is volume × the last rate$/,
    also: ['inversion/usd-stays'],
  },
  {
    ...inUsd,
    what: 'a day in USD a cent beyond what rounding explains',
    whole: centsBeside(27),
    count: 1,
    drawn: 25,
  },
  {
    ...inUsd,
    what: 'a day in USD without cents and a few dollars off',
    whole: centsBeside(700, 0),
    count: 1,
    drawn: 25,
  },
  {
    ...inUsd,
    what: 'a day in USD further from its hours than adding doubles goes',
    whole: doubles(1e-11),
    count: 1,
    drawn: 25,
  },
  {
    ...price('rollup/volume-is-summed', 'volume', () => ({}), /^[\d.]+, the sum of its (7|24) parts$/),
    what: 'a day further from its rounded hours than rounding goes',
    whole: fractions(2),
  },
  {
    rule: 'candle/closed-lasts-its-interval',
    what: 'a day that ends early, and with the liquidity of then',
    whole: days(
      fields(row, ({ timestampSeconds, liquidity }) => ({
        timestampSeconds: Number(timestampSeconds) - 600,
        liquidity: String(Number(liquidity) + 1),
      })),
    ),
    pointer: '/*/timestampSeconds',
    expected: /./,
    actual: /./,
  },
  ...[{ volumeUsd: '0' }, { liquidityUsd: '0', volumeUsd: '5' }].map(
    (value: Fields): BreachCase => ({
      ...inUsd,
      what: `a day of ${JSON.stringify(value)}, which is worth no rate`,
      whole: (recorded) => days(fields(row, value))(weekless(recorded)),
      count: 1,
      drawn: 25,
      also: [
        ...(value.liquidityUsd ? ['rollup/liquidity-is-of-the-end'] : []),
        ...(value.volumeUsd === '0' ? ['candle/usd-amounts-are-not-nothing'] : []),
      ],
    }),
  ),
];

export const amountNearMisses: readonly NearMiss[] = [
  {
    rule: 'rollup/volume-is-summed',
    what: 'a sum reported with decimals',
    whole: days(fields(row, ({ volume }) => ({ volume: `${volume}.00` }))),
  },
  {
    rule: 'rollup/usd-volume-is-summed',
    what: 'three cents of rounding',
    whole: days(fields(row, more('volumeUsd', 0.03))),
  },
  {
    rule: 'rollup/usd-volume-is-summed',
    what: 'as many cents as rounding explains',
    whole: centsBeside(-26),
  },
  { rule: 'rollup/volume-is-summed', what: 'hours that are rounded to a decimal', whole: fractions(1) },
  {
    rule: 'rollup/usd-volume-is-summed',
    what: 'a day in USD that adds its hours as doubles',
    whole: doubles(0),
  },
  {
    rule: 'rollup/usd-volume-is-summed',
    what: 'a day in USD that adds its minutes as doubles',
    whole: doubles(1e-14),
  },
  ...(['liquidity', 'liquidityUsd'] as const).map(
    (field): NearMiss => ({
      rule: 'rollup/liquidity-is-of-the-end',
      what: `a ${field} reported with more decimals`,
      whole: days(
        fields(row, (day: Fields) => ({
          [field]: `${day[field]}${String(day[field]).includes('.') ? '' : '.'}00`,
        })),
      ),
    }),
  ),
];
