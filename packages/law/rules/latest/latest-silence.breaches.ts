import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  type Distort,
  damageExchange,
  fields,
  foreign,
  header,
  text,
  withoutRequests,
} from '../../worlds/damage.ts';
import { makeMarket } from '../../worlds/market.ts';
import { baseUrl, type NamedRecording } from '../../worlds/recorded.ts';
import { answerValue } from '../../worlds/server.ts';

const isLatest = (name: string): boolean => /^latest (?!.*unkeyed)/.test(name);
/** Returns whether a request is for a recent range, with a key. */
export const isRecent = (name: string): boolean => /^recent (?!.*unkeyed)/.test(name);

/** Replaces the latest candles, or other answers, by those of this many seconds ago. */
export function makeStale(
  seconds: number,
  isMeant: (name: string) => boolean = () => true,
  among = isLatest,
) {
  return (recorded: NamedRecording): NamedRecording => {
    const { world, names } = recorded;
    const market = makeMarket(world);
    const old: Distort = (exchange) => {
      const path = exchange.request.url.slice(baseUrl.length);
      return text(JSON.stringify(answerValue(world, market, path, world.now - seconds)))(exchange);
    };
    const meant = names.filter((name) => among(name) && isMeant(name));
    return meant.reduce((changed, name) => damageExchange(changed, name, old), recorded);
  };
}

const isOfTwo = (name: string): boolean => name.endsWith('of 2');

/** Latest candles of the first pool, in request order. */
const ofOne = ['FIVEMIN', 'HOUR', 'DAY', 'WEEK', 'HOUR inverted', 'HOUR spelt', 'FIVEMIN again'];

/** Requests from V1 only a second pool that fell silent three hours ago. */
function keepSilent(recorded: NamedRecording): NamedRecording {
  const others = ofOne.map((interval) => `latest ${interval}`);
  return withoutRequests(makeStale(3 * 3600, isOfTwo)(recorded), ...others);
}

/** Hides when this was answered: a foreign recording, and an answer without a Date. */
function withoutDates(recorded: NamedRecording, name: string): NamedRecording {
  return foreign(damageExchange(recorded, name, header('date', undefined)));
}

const stopped = {
  rule: 'latest/is-observed',
  pointer: '/timestampSeconds',
  expected: /^observations after 2026-03-18T10:21:00Z: the histories go on until 2026-03-18T10:37:00Z$/,
  actual: 'the same last minute in all 2 pools',
  count: 2,
} as const;

export const silenceBreaches: readonly BreachCase[] = [
  {
    rule: 'candle/open-rows-are-of-one-time',
    what: 'a silent pool beside one of which an old day was reported',
    operation: 'getLatestV1PoolCandle',
    whole: (recorded) =>
      makeStale(
        16 * 60,
        (name) => isOfTwo(name) || name === 'latest DAY',
      )(withoutRequests(recorded, 'latest FIVEMIN again')),
    pointer: '/timestampSeconds',
    expected: /^about 2026-03-18T10:37:00Z, the last observation that another row of the pool shows$/,
    actual: '2026-03-18T10:21:00Z',
  },
  {
    rule: 'latest/is-the-newest',
    what: 'two pools that stopped in one minute ten minutes ago, while V2 goes on',
    whole: makeStale(10 * 60),
    pointer: '/startTimestampSeconds',
    expected: /^the FIVEMIN interval that holds 2026-03-18T10:37:\d\dZ$/,
    actual: 'the one from 2026-03-18T10:25:00Z',
    count: 2,
  },
  {
    rule: 'latest/is-observed',
    what: 'two pools that stop a minute apart while V2 goes on',
    whole: (recorded) => makeStale(16 * 60, (name) => !isOfTwo(name))(makeStale(17 * 60, isOfTwo)(recorded)),
    pointer: '/timestampSeconds',
    expected: /^observations after 2026-03-18T10:2[01]:00Z: the histories go on until 2026-03-18T10:37:00Z$/,
    actual: 'the same last minute in all 2 pools',
    count: 2,
  },
  {
    ...stopped,
    what: 'two pools that stop beside one of which nobody knows when',
    world: { poolsV1: [1, 2, 3] },
    whole: (recorded) => withoutDates(makeStale(16 * 60)(recorded), 'latest HOUR of 3'),
  },
  {
    ...stopped,
    what: 'two pools that stop beside one whose end cannot be read',
    world: { poolsV1: [1, 2, 3] },
    whole: (recorded) =>
      damageExchange(
        makeStale(16 * 60)(recorded),
        'latest HOUR of 3',
        fields(0, { timestampSeconds: 'never' }),
      ),
    also: ['candle/documented-types'],
  },
];

export const silenceNearMisses: readonly NearMiss[] = [
  {
    rule: 'latest/is-the-newest',
    what: 'a pool that was not observed for ten minutes beside one that was',
    whole: makeStale(10 * 60, (name) => !isOfTwo(name)),
    reason: 'pool 1 has shown nothing since 2026-03-18T10:27:00Z',
  },
  {
    rule: 'latest/is-the-newest',
    what: 'all pools, V2 too, that were not observed for ten minutes',
    whole: (recorded) =>
      makeStale(
        10 * 60,
        () => true,
        isRecent,
      )(withoutRequests(makeStale(10 * 60)(recorded), 'recent FIVEMIN')),
    outcome: 'inconclusive',
    reason:
      /^pool 1 has shown nothing since 2026-03-18T10:27:00Z; no latest candle is of the present: the newest was observed at 2026-03-18T10:27:00Z$/,
  },
  {
    rule: 'latest/is-the-newest',
    what: 'a pool that was not observed since before midnight',
    whole: makeStale(11 * 3600, (name) => !isOfTwo(name)),
    reason: 'pool 1 has shown nothing since 2026-03-17T23:37:00Z',
  },
  {
    rule: 'latest/is-the-newest',
    what: 'a pool that fell silent three hours ago',
    whole: makeStale(3 * 3600, isOfTwo),
    reason: 'pool 2 has shown nothing since 2026-03-18T07:37:00Z',
    evidence: 7,
  },
  {
    rule: 'latest/is-the-newest',
    what: 'a silent pool that stamps where its interval would end',
    world: { openEnd: 'interval end' },
    whole: makeStale(3 * 3600, isOfTwo),
    reason: 'pool 2 has shown nothing since 2026-03-18T07:00:00Z',
    evidence: 7,
  },
  {
    rule: 'latest/is-the-newest',
    what: 'a silent pool and no other',
    whole: keepSilent,
    outcome: 'inconclusive',
    reason:
      'pool 2 has shown nothing since 2026-03-18T07:37:00Z; no latest candle is of the present: the newest was observed at 2026-03-18T07:37:00Z',
  },
  {
    rule: 'latest/is-observed',
    what: 'one pool of two that is silent',
    whole: makeStale(16 * 60, isOfTwo),
    evidence: 8,
  },
  {
    rule: 'latest/is-observed',
    what: 'two pools that are six minutes late',
    whole: makeStale(6 * 60),
    evidence: 8,
  },
  {
    rule: 'latest/is-observed',
    what: 'two silent pools beside a history without its open candle',
    world: { openInHistory: false },
    whole: makeStale(16 * 60),
    outcome: 'inconclusive',
    reason: 'no pool has shown anything since 2026-03-18T10:21:00Z, and nothing else tells why',
  },
  {
    rule: 'latest/is-observed',
    what: 'the only pool of V1 that was requested',
    world: { poolsV1: [1] },
    whole: makeStale(16 * 60),
    outcome: 'inconclusive',
    reason: 'no pool has shown anything since 2026-03-18T10:21:00Z, and nothing else tells why',
  },
  {
    rule: 'latest/is-observed',
    what: 'two pools that stopped ten minutes apart',
    whole: (recorded) => makeStale(16 * 60, (name) => !isOfTwo(name))(makeStale(26 * 60, isOfTwo)(recorded)),
    evidence: 8,
  },
  {
    rule: 'latest/is-observed',
    what: 'two pools that stopped in one hour, of which one shows no more than that hour',
    whole: (recorded) => {
      const stopped = makeStale(
        37 * 60 + 5,
        (name) => !isOfTwo(name),
      )(makeStale(37 * 60 + 35, isOfTwo)(recorded));
      const end = Date.parse('2026-03-18T10:00:00Z') / 1000;
      return damageExchange(stopped, 'latest HOUR of 2', fields(0, { timestampSeconds: end }));
    },
    outcome: 'inconclusive',
    reason: /^a pool's last candle ended with its interval/,
  },
  {
    rule: 'latest/is-observed',
    what: 'two silent pools that stamp where their interval would end',
    world: { openEnd: 'interval end' },
    whole: makeStale(16 * 60),
  },
  {
    rule: 'latest/is-observed',
    what: 'a silent pool beside one of which an answer has no Date',
    whole: (recorded) => withoutDates(makeStale(16 * 60, isOfTwo)(recorded), 'latest DAY'),
    evidence: 7,
  },
  {
    rule: 'latest/is-observed',
    what: 'pools of V1 that stopped ten minutes before V2 did',
    whole: (recorded) =>
      makeStale(360, () => true, isRecent)(withoutRequests(makeStale(16 * 60)(recorded), 'recent FIVEMIN')),
    outcome: 'inconclusive',
    reason: 'no pool has shown anything since 2026-03-18T10:21:00Z, and nothing else tells why',
  },
  {
    rule: 'latest/is-observed',
    what: 'hours that were over three hours ago where ends are those of intervals',
    world: { openEnd: 'interval end' },
    whole: (recorded) => makeStale(3 * 3600)(withoutRequests(recorded, 'latest DAY', 'latest WEEK')),
    outcome: 'inconclusive',
    reason: /^no pool has shown anything since 2026-03-18T08:00:00Z, and nothing else tells why$/,
  },
];
