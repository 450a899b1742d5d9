import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { damageExchange, type Fields, fields, value, withoutRequests } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const operation = 'getLatestV1PoolCandle' as const;
const alone = { at: 'latest HOUR of 2', operation } as const;

const shiftTimes =
  (start: number, end: number) =>
  (record: Fields): Fields => ({
    startTimestampSeconds: Number(record.startTimestampSeconds) + start,
    timestampSeconds: Number(record.timestampSeconds) + end,
  });

/** The hour before the present one, closed like all hours. */
const hourBefore = fields(0, ({ startTimestampSeconds: start }) => ({
  startTimestampSeconds: Number(start) - 3600,
  timestampSeconds: Number(start),
}));

/** The first pool's candles; its other intervals are reported unchanged, but not in the same moment. */
function hourBeforeOfOne(recorded: NamedRecording): NamedRecording {
  const others = ['latest HOUR inverted', 'latest HOUR spelt', 'latest FIVEMIN again'];
  return damageExchange(withoutRequests(recorded, ...others), 'latest HOUR', hourBefore);
}

const grows = { rule: 'latest/only-grows', operation, at: 'latest FIVEMIN', drawn: 2 } as const;

export const latestBreaches: readonly BreachCase[] = [
  {
    ...alone,
    rule: 'latest/answer-is-one-candle',
    what: 'a list of one candle',
    damage: value((record) => [record]),
    expected: 'type object',
    actual: 'a list of 1',
  },
  {
    rule: 'latest/is-the-newest',
    what: 'the hour before, of a pool whose five minutes are reported',
    whole: hourBeforeOfOne,
    pointer: '/startTimestampSeconds',
    expected: /^the HOUR interval that holds 2026-03-18T10:37:\d\dZ$/,
    actual: 'the one from 2026-03-18T09:00:00Z',
  },
  {
    rule: 'latest/is-the-newest',
    what: 'the hour before, four minutes after its end',
    world: { now: Date.parse('2026-03-18T10:04:00Z') / 1000, pace: 0 },
    whole: hourBeforeOfOne,
    pointer: '/startTimestampSeconds',
    expected: 'the HOUR interval that holds 2026-03-18T10:04:00Z',
    actual: 'the one from 2026-03-18T09:00:00Z',
  },
  {
    rule: 'latest/never-goes-back',
    at: 'latest FIVEMIN again',
    what: 'an end a minute before the one seen',
    damage: fields(0, shiftTimes(0, -60)),
    pointer: '/timestampSeconds',
    expected: /^a candle no older than 2026-03-18T10:35:00Z to 2026-03-18T10:37:00Z, as seen before$/,
    actual: '2026-03-18T10:35:00Z to 2026-03-18T10:36:00Z',
  },
  {
    rule: 'latest/never-goes-back',
    at: 'latest FIVEMIN again',
    what: 'an earlier start with the same end',
    damage: fields(0, shiftTimes(-300, 0)),
    pointer: '/timestampSeconds',
    expected: /as seen before$/,
    actual: '2026-03-18T10:30:00Z to 2026-03-18T10:37:00Z',
    also: ['candle/lasts-at-most-its-interval'],
  },
  {
    ...grows,
    what: 'an open that changes',
    damage: fields(0, ({ open }) => ({ open: Number(open) * (1 + 1e-12) })),
    pointer: '/open',
    expected: /^0\.\d+, as before$/,
    actual: /^0\.\d+$/,
  },
  {
    ...grows,
    what: 'a high that falls',
    damage: fields(0, { high: 0.5 }),
    pointer: '/high',
    expected: 'at least 0.5, as before',
    actual: /^0\.05/,
  },
  {
    ...grows,
    what: 'a low that rises',
    damage: fields(0, { low: 0.01 }),
    pointer: '/low',
    expected: 'at most 0.01, as before',
    actual: /^0\.05/,
  },
  {
    ...grows,
    what: 'a volume that shrinks by a fraction',
    damage: fields(0, ({ volume }) => ({ volume: `${volume}.01` })),
    pointer: '/volume',
    expected: /^at least \d+\.01, as before$/,
    actual: /^\d+$/,
  },
  {
    rule: 'candle/high-is-highest',
    at: 'latest DAY',
    what: 'a latest high below its open, which is no matter of intervals',
    damage: fields(0, ({ low, open, close }) => {
      const high = (Number(low) + Math.min(Number(open), Number(close))) / 2;
      return { high, avg: high };
    }),
    pointer: '/high',
    expected: /^at least 0\.\d+$/,
    actual: /^0\.\d+$/,
  },
  {
    rule: 'latest/starts-nest',
    at: 'latest WEEK',
    what: 'a week that begins within the present day',
    damage: fields(0, shiftTimes(2 * 86_400 + 3600, 0)),
    pointer: '/startTimestampSeconds',
    expected: 'at or before 2026-03-18T00:00:00Z, where the shorter interval begins',
    actual: '2026-03-18T01:00:00Z',
    also: ['history/aligned'],
  },
];

export const latestNearMisses: readonly NearMiss[] = [
  {
    ...alone,
    rule: 'latest/is-the-newest',
    what: 'the hour before, of a pool of which nothing newer is reported',
    damage: hourBefore,
    reason: 'pool 2 has shown nothing since 2026-03-18T09:00:00Z',
  },
  {
    ...alone,
    rule: 'latest/is-the-newest',
    what: 'the hour before, ninety seconds after its end',
    world: { now: Date.parse('2026-03-18T10:01:30Z') / 1000, pace: 0 },
    damage: hourBefore,
  },
  {
    rule: 'latest/never-goes-back',
    what: 'the next minute',
    at: 'latest FIVEMIN again',
    damage: fields(0, shiftTimes(0, 60)),
  },
  {
    rule: 'latest/only-grows',
    what: 'a volume that is reported with decimals from then on',
    at: 'latest FIVEMIN again',
    damage: fields(0, ({ volume }) => ({ volume: `${volume}.00` })),
  },
  {
    rule: 'latest/usd-volume-only-grows',
    what: 'a volume in USD that is reported with other decimals from then on',
    at: 'latest FIVEMIN again',
    damage: fields(0, ({ volumeUsd }) => ({ volumeUsd: Number(volumeUsd).toFixed(4) })),
  },
  {
    rule: 'latest/starts-nest',
    what: 'a day of another zone that began half an hour into the present one',
    at: 'latest FIVEMIN again',
    world: { dayPhase: 10.5 * 3600 },
  },
];
