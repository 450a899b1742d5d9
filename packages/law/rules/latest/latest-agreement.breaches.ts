import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { damageExchange, type Fields, fields, withoutRequests } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

/** Damages both answers between which a moment is proved. */
const fiveMinutes =
  (change: (record: Fields) => Fields) =>
  (recorded: NamedRecording): NamedRecording =>
    ['latest FIVEMIN', 'latest FIVEMIN again'].reduce(
      (changed, name) => damageExchange(changed, name, fields(0, change)),
      recorded,
    );

/** The longer interval's values beside a shorter one that was enlarged. */
function agree(
  at: string,
  field: string,
  change: (value: number) => number | string,
  expected: RegExp,
): BreachCase {
  return {
    rule: 'latest/intervals-agree',
    at,
    what: `${field} of ${at}`,
    damage: fields(0, (record) => ({ [field]: change(Number(record[field])) })),
    pointer: `/${field}`,
    expected,
    actual: /^[\d.e-]+$/,
    drawn: 2,
  };
}

export const latestAgreementBreaches: readonly BreachCase[] = [
  agree(
    'latest WEEK',
    'timestampSeconds',
    (end) => end + 60,
    /^\d+, the last observation that the other intervals tell$/,
  ),
  agree('latest WEEK', 'close', (close) => close * (1 + 1e-12), /^0\.05\d+, as the other intervals/),
  agree('latest WEEK', 'liquidity', (amount) => String(amount + 1), /^\d+, as the other intervals/),
  agree('latest WEEK', 'liquidityUsd', (amount) => String(amount + 1), /^[\d.]+, as the other intervals/),
  ...(
    [
      ['high', (): number => 5, "at least 5, the shorter interval's"],
      ['low', (): number => 1e-9, "at most 1e-9, the shorter interval's"],
      ['volume', (): string => '9'.repeat(30), `at least ${'9'.repeat(30)}, the shorter interval's`],
    ] as const
  ).map(([field, change, expected]) => ({
    ...agree('latest DAY', field, change, /./),
    expected,
    ...(field === 'volume' && { also: ['candle/amounts-keep-their-unit'] }),
  })),
  ...(
    [
      ['open', (open): number => open * (1 + 1e-9)],
      ['high', (high): number => high * 1.02],
      ['low', (low): number => low * (1 + 1e-12)],
      ['volume', (amount): string => `1${amount}`],
      ['avg', (avg): number => avg * (1 + 1e-6)],
    ] as const satisfies [string, (value: number) => number | string][]
  ).map(([field, change]) => ({
    ...agree('latest DAY', field, change, /, as the shorter interval that began with it$/),
    what: `${field} of a day whose hour began with it`,
    world: { now: Date.parse('2026-03-18T00:37:00Z') / 1000 },
  })),
  {
    rule: 'latest/intervals-agree',
    what: 'liquidity of the shortest interval, which contradicts all others',
    whole: fiveMinutes(({ liquidity }) => ({ liquidity: `${liquidity}0` })),
    pointer: '/liquidity',
    expected: /^\d+, as the other intervals at the same moment$/,
    actual: /^\d+0$/,
    drawn: 2,
  },
  {
    rule: 'latest/intervals-agree',
    what: 'a high of the hour above those of the day and the week',
    whole: (recorded) =>
      damageExchange(
        withoutRequests(recorded, 'latest HOUR inverted', 'latest HOUR spelt'),
        'latest HOUR',
        fields(0, { high: 5 }),
      ),
    pointer: '/high',
    expected: /^at most 0\.\d+, the longer interval's$/,
    actual: '5',
  },
  {
    rule: 'candle/amounts-are-decimal-text',
    what: 'liquidity of the shortest interval that is NaN, which contradicts none',
    whole: fiveMinutes(() => ({ liquidity: 'NaN' })),
    operation: 'getLatestV1PoolCandle',
    pointer: '/liquidity',
    count: 2,
    expected: /^decimal text/,
    actual: '"NaN"',
  },
];

export const latestAgreementNearMisses: readonly NearMiss[] = [
  {
    rule: 'latest/intervals-agree',
    what: 'a close that moved between first and last look',
    whole: (recorded) =>
      damageExchange(
        recorded,
        'latest FIVEMIN again',
        fields(0, ({ high }) => ({ close: Number(high), avg: high })),
      ),
    outcome: 'inconclusive',
    reason: 'the candle moved between the first and the last look',
  },
  {
    rule: 'latest/intervals-agree',
    at: 'latest DAY',
    what: 'liquidity with other decimals',
    damage: fields(0, ({ liquidityUsd }) => ({ liquidityUsd: Number(liquidityUsd).toFixed(4) })),
  },
];
