import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { damageExchange, everyRow, type Fields, fields } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const nothing = 'candle/usd-amounts-are-not-nothing';
const magnitude = 'candle/usd-volumes-keep-their-magnitude';

const scale = (field: string, factor: number) => (record: Fields) => ({
  [field]: (Number(record[field]) * factor).toFixed(2),
});

/** Changes all rows of the five-minute candles of a run. */
const inFiveMinutes =
  (change: (record: Fields) => Fields) =>
  (recorded: NamedRecording): NamedRecording =>
    ['recent FIVEMIN', 'week FIVEMIN'].reduce(
      (changed, name) => damageExchange(changed, name, everyRow(change)),
      recorded,
    );

export const usdWorthBreaches: readonly BreachCase[] = [
  {
    rule: nothing,
    at: 'latest FIVEMIN',
    what: 'a volume that is worth nothing in five minutes',
    world: { now: Date.parse('2026-03-18T10:39:25Z') / 1000, trades: 1 },
    damage: fields(0, { volumeUsd: '0.00' }),
    pointer: '/volumeUsd',
    expected: /^about \d+(\.\d+)? USD, at the rate of the liquidity beside it$/,
    actual: '0.00',
  },
  {
    rule: nothing,
    at: 'recent HOUR of 2',
    what: 'liquidity that is worth nothing in one hour',
    damage: fields(5, { liquidityUsd: '0' }),
    pointer: '/*/liquidityUsd',
    expected: /^about [\d.e+]+ USD, at the rate of the volume beside it$/,
    actual: '0',
  },
  {
    rule: magnitude,
    at: 'latest WEEK',
    what: 'the volume of the latest week at ten times its dollars',
    damage: fields(0, scale('volumeUsd', 10)),
    pointer: '/volumeUsd',
    expected:
      /^a volume worth about 0?\.?0?[45]\d\d? USD .*, as in the pool’s other intervals on this day$|^a volume worth about [45]\.\d+ USD/,
    actual: /^[\d.]+ USD for \d+, 0?[\d.]+ each: 10\^1 times theirs in 1 of 1 rows$/,
  },
  {
    rule: magnitude,
    what: 'the volume of all five-minute candles at a hundredth of their dollars',
    whole: inFiveMinutes(scale('volumeUsd', 0.01)),
    pointer: '/*/volumeUsd',
    expected: /as in the pool’s other intervals on this day$/,
    actual: /each: 10\^-2 times theirs in (\d+) of \1 rows$/,
    also: ['rollup/usd-volume-is-summed'],
  },
];

export const usdWorthNearMisses: readonly NearMiss[] = [
  {
    rule: nothing,
    at: 'recent HOUR of 2',
    what: 'a volume below ten dollars that whole dollars round to nothing',
    damage: fields(5, { volume: '1000000000', volumeUsd: '0' }),
  },
  {
    rule: magnitude,
    at: 'latest WEEK',
    what: 'the volume of the latest week at three times its dollars, which is no power of ten',
    damage: fields(0, scale('volumeUsd', 3)),
  },
  {
    rule: magnitude,
    at: 'latest HOUR of 2',
    what: 'a volume at ten times its dollars in the only interval of its pool',
    damage: fields(0, scale('volumeUsd', 10)),
  },
];
