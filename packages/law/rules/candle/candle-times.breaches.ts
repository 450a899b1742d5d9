import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { damageExchange, type Fields, fields, rows, withExchanges } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import type { World } from '../../worlds/world.ts';

const inHistory = {
  at: 'recent HOUR of 2',
  pointer: '/*/timestampSeconds',
} as const;
const inLatest = { at: 'latest HOUR of 2' } as const;

/** Positions in a pool's recent hours: a closed candle, and the open one. */
const closed = 5;
const open = -1;

/** A minute past ten: the candle from nine is settling, neither open nor closed. */
const settling = { world: { now: Date.parse('2026-03-18T10:01:00Z') / 1000 }, row: -2 };

const endIs = (change: (start: number, end: number) => number) => (record: Fields) => ({
  timestampSeconds: change(Number(record.startTimestampSeconds), Number(record.timestampSeconds)),
});

const shiftTimes = (seconds: number) => (record: Fields) => ({
  startTimestampSeconds: Number(record.startTimestampSeconds) + seconds,
  timestampSeconds: Number(record.timestampSeconds) + seconds,
});

/** Ends every closed candle two minutes early, as no target stamps them. */
function allEndEarly(recorded: NamedRecording): NamedRecording {
  const now = recorded.world.now - 120;
  const early = rows((list) =>
    list.map((row) =>
      Number(row.timestampSeconds) <= now
        ? { ...row, timestampSeconds: Number(row.timestampSeconds) - 120 }
        : row,
    ),
  );
  const names = recorded.names.filter((name) => /^(recent|week|one) [A-Z]+(?!.*unkeyed)/.test(name));
  return names.reduce((changed, name) => damageExchange(changed, name, early), recorded);
}

/** Requests a single latest candle with this end, which alone shows how the target stamps. */
const withSoleCandle =
  (end: string) =>
  (recorded: NamedRecording): NamedRecording => {
    const at = recorded.names.indexOf(inLatest.at);
    const changed = damageExchange(
      recorded,
      inLatest.at,
      fields(0, { timestampSeconds: Date.parse(end) / 1000 }),
    );
    return withExchanges(changed, (exchanges) => exchanges.slice(at, at + 1));
  };

/** Makes the latest candle that of the coming hour, some seconds before it begins. */
function early(seconds: number): { world: Partial<World>; at: string; damage: ReturnType<typeof fields> } {
  const now = Date.parse('2026-03-18T10:00:00Z') / 1000 - seconds;
  const world = { now, pace: 0, openEnd: 'interval end' } as const;
  return { world, at: 'latest HOUR of 2', damage: fields(0, shiftTimes(3600)) };
}

export const candleTimeBreaches: readonly BreachCase[] = [
  {
    ...inLatest,
    rule: 'candle/times-are-seconds',
    what: 'a latest candle that ends in microseconds',
    damage: fields(
      0,
      endIs((_, end) => end * 1e6),
    ),
    pointer: '/timestampSeconds',
    expected: 'Unix seconds of this century',
    actual: /^1773\d{12}$/,
  },
  {
    ...inHistory,
    rule: 'candle/starts-before-it-ends',
    what: 'an end before the start',
    world: settling.world,
    damage: fields(
      settling.row,
      endIs((start) => start - 60),
    ),
    expected: 'after its start 1773824400',
    actual: '1773824340',
  },
  {
    ...inHistory,
    rule: 'candle/starts-before-it-ends',
    what: 'a closed candle of no length',
    damage: fields(
      closed,
      endIs((start) => start),
    ),
    expected: /^after its start \d+$/,
    actual: /^\d+$/,
    also: ['candle/closed-lasts-its-interval'],
  },
  {
    ...inHistory,
    rule: 'candle/lasts-at-most-its-interval',
    what: 'an hour and a minute',
    world: settling.world,
    damage: fields(
      settling.row,
      endIs((start) => start + 3660),
    ),
    expected: 'at most HOUR, 3600 s',
    actual: '3660 s',
  },
  {
    ...inHistory,
    rule: 'candle/closed-lasts-its-interval',
    what: 'an end of the next among inclusive ones',
    world: { endsEarly: 1 },
    damage: fields(
      closed,
      endIs((_, end) => end + 1),
    ),
    expected: '3599 s',
    actual: '3600 s',
  },
  {
    ...inHistory,
    rule: 'candle/closed-lasts-its-interval',
    what: 'an end behind that of the interval among inclusive ones',
    world: { endsEarly: 1 },
    damage: fields(
      closed,
      endIs((_, end) => end + 2),
    ),
    expected: '3599 s',
    actual: '3601 s',
    also: ['candle/lasts-at-most-its-interval', 'candle/times-are-whole-minutes'],
  },
  {
    ...inHistory,
    rule: 'candle/closed-lasts-its-interval',
    what: 'ends of a target that none of the known ways explains',
    whole: allEndEarly,
    expected: '300 s or 299 s or 240 s',
    actual: '180 s',
    count: 1119,
  },
  {
    ...inHistory,
    rule: 'candle/open-ends-are-alike',
    what: 'an interval end among last observations',
    damage: fields(
      open,
      endIs((start) => start + 3600),
    ),
    expected: 'the last observation, as elsewhere',
    actual: '2026-03-18T11:00:00Z',
  },
  {
    ...inHistory,
    rule: 'candle/open-ends-are-alike',
    what: 'a last observation among interval ends',
    world: { openEnd: 'interval end' },
    damage: fields(
      open,
      endIs((start) => start + 1800),
    ),
    expected: 'the interval end, as elsewhere',
    actual: '2026-03-18T10:30:00Z',
  },
  {
    ...inHistory,
    rule: 'candle/open-ends-are-alike',
    what: 'an end that is neither',
    damage: fields(
      open,
      endIs((start) => start + 3000),
    ),
    expected: 'the last observation, as elsewhere',
    actual: '2026-03-18T10:50:00Z',
  },
  {
    ...inHistory,
    rule: 'candle/times-are-whole-minutes',
    what: 'an open candle that ends between minutes',
    damage: fields(
      open,
      endIs((_, end) => end + 7),
    ),
    expected: 'whole minutes',
    actual: '2026-03-18T10:00:00Z to 2026-03-18T10:37:07Z',
  },
  {
    ...inLatest,
    rule: 'candle/times-are-whole-minutes',
    what: 'a start between minutes',
    damage: fields(0, ({ startTimestampSeconds: start }) => ({ startTimestampSeconds: Number(start) + 30 })),
    pointer: '/timestampSeconds',
    expected: 'whole minutes',
    actual: '2026-03-18T10:00:30Z to 2026-03-18T10:37:00Z',
    also: ['history/aligned'],
  },
  {
    rule: 'candle/open-ends-are-alike',
    what: 'a single open candle that ends in neither way',
    operation: 'getLatestV1PoolCandle',
    whole: withSoleCandle('2026-03-18T10:50:00Z'),
    pointer: '/timestampSeconds',
    expected: 'the last observation or the interval end',
    actual: '2026-03-18T10:50:00Z',
  },
];

export const candleTimeNearMisses: readonly NearMiss[] = [
  {
    rule: 'candle/open-ends-are-alike',
    what: 'a single open candle that ends with its interval',
    whole: withSoleCandle('2026-03-18T11:00:00Z'),
  },
  {
    ...early(2),
    rule: 'candle/is-not-from-the-future',
    what: 'the coming hour two seconds early by a lagging Date',
  },
  {
    ...inHistory,
    rule: 'candle/closed-lasts-its-interval',
    what: 'a settling candle still stamped by its last observation',
    world: settling.world,
    damage: fields(
      settling.row,
      endIs((_, end) => end - 60),
    ),
  },
  {
    rule: 'candle/closed-lasts-its-interval',
    what: 'a newest candle as its last observation left it',
    at: 'week FIVEMIN',
    damage: fields(
      -1,
      endIs((_, end) => end - 60),
    ),
  },
  {
    ...inHistory,
    rule: 'candle/open-ends-are-alike',
    what: 'a last observation of the coming minute',
    damage: fields(
      open,
      endIs((_, end) => end + 60),
    ),
  },
  {
    ...inHistory,
    rule: 'candle/starts-before-it-ends',
    what: 'an open candle in its first minute',
    damage: fields(
      open,
      endIs((start) => start),
    ),
  },
  {
    ...inLatest,
    rule: 'candle/starts-before-it-ends',
    what: 'the newest candle of a pool that fell silent in its first minute',
    damage: fields(0, ({ startTimestampSeconds: start }) => ({
      startTimestampSeconds: Number(start) - 3600,
      timestampSeconds: Number(start) - 3600,
    })),
  },
];
