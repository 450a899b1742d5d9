import type { Spec } from '@candleproof/document/spec/spec';
import { type BreachCase, type NearMiss, spec } from '../../worlds/breach-case.ts';
import { type Distort, damageExchange, type Fields, rows } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { isRecent, makeStale } from '../latest/latest-silence.breaches.ts';

const rule = 'history/nothing-before-birth-or-after-now';

/** Moves a candle of another answer by whole intervals into one that has none. */
function holding(from: string, at: string, seconds: number): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const { response } = recorded.recording.exchanges[recorded.names.indexOf(from)] ?? {};
    const [candle] = JSON.parse(response?.body?.text ?? '[]') as Fields[];
    const moved: Distort = rows(() => [
      {
        ...candle,
        startTimestampSeconds: Number(candle?.startTimestampSeconds) + seconds,
        timestampSeconds: Number(candle?.timestampSeconds) + seconds,
      },
    ]);
    return damageExchange(recorded, at, moved);
  };
}

/** The range after now begins an hour and a minute ahead, since the present hour may still be settling then. */
function requestSoon(recorded: NamedRecording): NamedRecording {
  return damageExchange(
    holding('recent HOUR of 1', 'after now', 48 * 3600)(recorded),
    'after now',
    (exchange) => ({
      ...exchange,
      request: {
        ...exchange.request,
        url: exchange.request.url.replace(/from=(\d+)/, (_, from) => `from=${Number(from) - 7350 + 3660}`),
      },
    }),
  );
}

/** The document of an API whose histories may have gaps, and whose pools never rest for ten minutes. */
const restless: Spec = {
  ...spec,
  roles: [...spec.roles.filter((role) => role !== 'gapless'), 'fresh'],
  operations: spec.operations.map((operation) =>
    operation.role === 'history' ? { ...operation, gaps: 'idle', fresh: 600 } : operation,
  ),
};

export const rangeEdgeBreaches: readonly BreachCase[] = [
  {
    rule: 'history/newest-row-is-fresh',
    what: 'recent ranges that end three hours ago',
    document: restless,
    whole: makeStale(3 * 3600, () => true, isRecent),
    pointer: '/*/startTimestampSeconds',
    expected: /^a row from 2026-03-18T\S+ or later: new ones come within 600 s$/,
    actual: /^the newest from 2026-03-18T0[67]:/,
    count: 3,
  },
  {
    rule: 'candle/is-not-from-the-future',
    what: 'the next hour in a range that begins while it may be settling',
    whole: requestSoon,
    pointer: '/*/startTimestampSeconds',
    expected: /^at or before 2026-03-18T10:37:3\dZ, the server's time$/,
    actual: String(Date.parse('2026-03-18T11:00:00Z') / 1000),
    also: ['candle/open-ends-are-alike'],
  },
  {
    rule,
    what: 'a week before any pool was born',
    whole: holding('recent WEEK', 'before any pool', -430 * 604_800),
    pointer: '/*/startTimestampSeconds',
    expected: 'no candle before anything was traded',
    actual: '1, from 2017-12-04T00:00:00Z on',
  },
  {
    rule,
    what: 'an hour that is yet to come',
    whole: holding('recent HOUR of 1', 'after now', 50 * 3600),
    pointer: '/*/startTimestampSeconds',
    expected: /^no candle after 2026-03-18T10:37:3\dZ, the server's time$/,
    actual: '1, from 2026-03-18T13:00:00Z on',
    also: ['candle/is-not-from-the-future', 'candle/open-ends-are-alike'],
  },
];

export const rangeEdgeNearMisses: readonly NearMiss[] = [
  {
    rule: 'history/newest-row-is-fresh',
    what: 'recent ranges that end fifteen minutes ago',
    document: restless,
    whole: makeStale(15 * 60, () => true, isRecent),
  },
  { rule, at: 'before any pool', what: 'an empty list of lines', damage: rows(() => []) },
  {
    rule,
    what: 'a market of another age, whose history goes on from there',
    world: { now: Date.parse('2018-03-20T10:37:25Z') / 1000 },
    reason: 'pool 1 shows candles of every age',
    evidence: 1,
  },
];
