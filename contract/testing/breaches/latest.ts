import type { BreachCase, NearMiss } from '../breach-case.ts';
import { type Damage, damaged, type Fields, fields, text, value } from '../damage.ts';
import { makeMarket } from '../market.ts';
import { baseUrl, type Recorded } from '../recorded.ts';
import { answerTo } from '../server.ts';

const operation = 'getLatestV1PoolCandle' as const;
const alone = { at: 'latest HOUR of 2', operation } as const;

const moved =
  (start: number, end: number) =>
  (record: Fields): Fields => ({
    startTimestampSeconds: Number(record.startTimestampSeconds) + start,
    timestampSeconds: Number(record.timestampSeconds) + end,
  });

/** The hour before the present one, closed as all hours are. */
const hourBefore = fields(0, ({ startTimestampSeconds: start }) => ({
  startTimestampSeconds: Number(start) - 3600,
  timestampSeconds: Number(start),
}));

/** The latest candles as they were this many seconds ago, of all pools or of some. */
function stale(seconds: number, isMeant: (name: string) => boolean = () => true) {
  return (recorded: Recorded): Recorded => {
    const { world, names } = recorded;
    const market = makeMarket(world);
    const old: Damage = (exchange) => {
      const path = exchange.request.url.slice(baseUrl.length);
      return text(JSON.stringify(answerTo(world, market, path, world.now - seconds)))(exchange);
    };
    const meant = names.filter((each) => /^latest (?!.*unkeyed)/.test(each) && isMeant(each));
    return meant.reduce((changed, name) => damaged(changed, name, old), recorded);
  };
}

const grows = { rule: 'latest/only-grows', operation, at: 'latest FIVEMIN' } as const;

/** What the longer interval says beside a shorter one that was made larger. */
function agree(
  at: string,
  field: string,
  change: (told: number) => number | string,
  expected: RegExp,
): BreachCase {
  return {
    rule: 'latest/intervals-agree',
    operation,
    at,
    what: `${field} of ${at}`,
    damage: fields(0, (record) => ({ [field]: change(Number(record[field])) })),
    pointer: `/${field}`,
    expected,
    actual: /^[\d.e-]+$/,
  };
}

export const latestBreaches: readonly BreachCase[] = [
  {
    ...alone,
    rule: 'latest/answer-is-one-candle',
    what: 'a list of one candle',
    damage: value((record) => [record]),
    pointer: '',
    expected: 'type object',
    actual: 'a list of 1',
  },
  {
    ...alone,
    rule: 'latest/is-the-newest',
    what: 'the hour before',
    damage: hourBefore,
    pointer: '/startTimestampSeconds',
    expected: /^the HOUR interval that holds 2026-03-18T10:37:\d\dZ$/,
    actual: 'the one from 2026-03-18T09:00:00Z',
  },
  {
    rule: 'latest/never-goes-back',
    operation,
    at: 'latest FIVEMIN again',
    what: 'an end a minute before the one seen',
    damage: fields(0, moved(0, -60)),
    pointer: '/timestampSeconds',
    expected: /^a candle no older than 2026-03-18T10:35:00Z to 2026-03-18T10:37:00Z, as seen before$/,
    actual: '2026-03-18T10:35:00Z to 2026-03-18T10:36:00Z',
  },
  {
    rule: 'latest/never-goes-back',
    operation,
    at: 'latest FIVEMIN again',
    what: 'the interval before the one seen',
    damage: fields(0, moved(-300, -120)),
    pointer: '/timestampSeconds',
    expected: /as seen before$/,
    actual: '2026-03-18T10:30:00Z to 2026-03-18T10:35:00Z',
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
    ...grows,
    rule: 'latest/usd-volume-only-grows',
    what: 'a volume in USD that shrinks by a cent',
    damage: fields(0, ({ volumeUsd }) => ({ volumeUsd: (Number(volumeUsd) + 0.01).toFixed(2) })),
    pointer: '/volumeUsd',
    expected: /^at least [\d.]+, as before$/,
    actual: /^[\d.]+$/,
  },
  {
    rule: 'latest/starts-nest',
    operation,
    at: 'latest WEEK',
    what: 'a week that begins within the present day',
    damage: fields(0, moved(2 * 86_400 + 3600, 0)),
    pointer: '/startTimestampSeconds',
    expected: 'at or before 2026-03-18T00:00:00Z, where the shorter interval begins',
    actual: '2026-03-18T01:00:00Z',
    also: ['history/aligned'],
  },
  {
    rule: 'latest/is-observed',
    operation,
    what: 'two pools that stop in one minute while V2 goes on',
    whole: stale(16 * 60),
    pointer: '/timestampSeconds',
    expected: /^observations after 2026-03-18T10:21:00Z: V2 goes on until 2026-03-18T10:37:00Z$/,
    actual: 'the same last minute in all 2 pools',
    count: 2,
  },
  agree('latest WEEK', 'timestampSeconds', (end) => end + 60, /^\d+, the last observation that the shorter/),
  agree('latest WEEK', 'close', (close) => close * (1 + 1e-12), /^0\.05\d+, as the shorter interval/),
  agree('latest WEEK', 'liquidity', (amount) => String(amount + 1), /^\d+, as the shorter interval/),
  agree('latest WEEK', 'liquidityUsd', (amount) => String(amount + 1), /^[\d.]+, as the shorter interval/),
  ...(
    [
      ['high', (): number => 5, "at least 5, the shorter interval's"],
      ['low', (): number => 1e-9, "at most 1e-9, the shorter interval's"],
      ['volume', (): string => '9'.repeat(30), `at least ${'9'.repeat(30)}, the shorter interval's`],
    ] as const
  ).map(([field, change, expected]) => ({ ...agree('latest DAY', field, change, /./), expected })),
];

export const latestNearMisses: readonly NearMiss[] = [
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
    damage: fields(0, moved(0, 60)),
  },
  {
    rule: 'latest/intervals-agree',
    what: 'a close that moved between first and last look',
    whole: (recorded) =>
      damaged(
        recorded,
        'latest FIVEMIN again',
        fields(0, ({ high }) => ({ close: Number(high), avg: high })),
      ),
    outcome: 'inconclusive',
  },
  {
    rule: 'latest/only-grows',
    what: 'a volume that is told with decimals from then on',
    at: 'latest FIVEMIN again',
    damage: fields(0, ({ volume }) => ({ volume: `${volume}.00` })),
  },
  {
    rule: 'latest/usd-volume-only-grows',
    what: 'a volume in USD that is told with other decimals from then on',
    at: 'latest FIVEMIN again',
    damage: fields(0, ({ volumeUsd }) => ({ volumeUsd: Number(volumeUsd).toFixed(4) })),
  },
  {
    rule: 'latest/starts-nest',
    what: 'a day of another zone that began half an hour into the present one',
    at: 'latest FIVEMIN again',
    world: { dayPhase: 10.5 * 3600 },
    damage: (exchange) => exchange,
  },
  {
    rule: 'latest/is-observed',
    what: 'one pool of two that is silent',
    whole: stale(16 * 60, (name) => name.endsWith('of 2')),
  },
  {
    rule: 'latest/is-observed',
    what: 'two pools that are six minutes late',
    whole: stale(6 * 60),
  },
  {
    rule: 'latest/is-observed',
    what: 'two silent pools beside a history without its open candle',
    world: { openInHistory: false },
    whole: stale(16 * 60),
    outcome: 'inconclusive',
  },
  {
    rule: 'latest/is-observed',
    what: 'the only pool of V1 that was asked',
    world: { poolsV1: [1] },
    whole: stale(16 * 60),
    outcome: 'inconclusive',
  },
];
