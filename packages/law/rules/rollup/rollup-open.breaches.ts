import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  all,
  damageExchange,
  type Fields,
  fields,
  header,
  replaceRequest,
  withoutRequests,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const rule = 'rollup/open-holds-its-parts';

/** The part of the closed candles that an open candle lacks. */
function open(at: string, field: string, change: (record: Fields) => unknown, expected: RegExp): BreachCase {
  return {
    rule,
    at,
    what: `${field} of the newest candle in ${at}`,
    damage: fields(-1, (record) => ({
      [field]: change(record),
      ...(field === 'volume' && { volumeUsd: '0' }),
    })),
    pointer: `/*/${field}`,
    expected,
    actual: /^[\d.]+$/,
  };
}

/** Hours that were requested after the week, without five-minute candles: nothing was known before it. */
function hoursAfter(recorded: NamedRecording): NamedRecording {
  const early = withoutRequests(recorded, 'recent FIVEMIN', 'recent HOUR of 1');
  const instead = 'recent WEEK inverted';
  const { request } = recorded.recording.exchanges[recorded.names.indexOf('recent HOUR of 1')] ?? {};
  const late = replaceRequest(recorded, instead, 'recent HOUR of 1', () => request?.url ?? '');
  const at = recorded.names.indexOf(instead);
  const exchanges = early.recording.exchanges.map((exchange, index) =>
    index === at ? (late.recording.exchanges[at] ?? exchange) : exchange,
  );
  return { ...early, recording: { ...early.recording, exchanges } };
}

export const openBreaches: readonly BreachCase[] = [
  open('recent WEEK', 'volume', () => '1', /^at least \d+, the sum of its \d+ closed parts$/),
  open('recent HOUR of 1', 'volume', () => '1', /^at least \d+, the sum of its 7 closed parts$/),
  open(
    'recent HOUR of 1',
    'high',
    ({ open, close, avg }) => Math.max(Number(open), Number(close), Number(avg)),
    /^at least/,
  ),
  open(
    'recent HOUR of 1',
    'low',
    ({ open, close, avg }) => Math.min(Number(open), Number(close), Number(avg)),
    /^at most/,
  ),
  {
    ...open('recent WEEK', 'volume', ({ volume }) => String(Math.round(Number(volume) / 4)), /./),
    what: 'a week that holds its recent five minutes but not its hours',
    expected: /^at least \d+, the sum of its 4\d closed parts$/,
    drawn: 25,
    also: ['candle/usd-amounts-are-not-nothing'],
  },
  {
    rule: 'candle/high-is-highest',
    at: 'recent HOUR of 1',
    what: 'a newest high below its own open, with an average to match',
    damage: fields(-1, ({ low, open, close }) => {
      const high = (Number(low) + Math.min(Number(open), Number(close))) / 2;
      return { high, avg: high };
    }),
    pointer: '/*/high',
    expected: /^at least/,
    actual: /./,
    also: ['rollup/open-is-made-of-its-parts'],
  },
  {
    rule: 'candle/low-is-lowest',
    at: 'recent FIVEMIN',
    what: 'five minutes outside of their own extremes, which say nothing of the open hour',
    damage: fields(-3, { high: 5, low: 4, avg: 4.5 }),
    pointer: '/*/low',
    expected: /^at most/,
    actual: '4',
  },
];

export const openNearMisses: readonly NearMiss[] = [
  {
    rule,
    what: 'an open hour of which no five minutes are over yet',
    world: { now: Date.parse('2026-03-18T10:03:25Z') / 1000 },
    evidence: 1,
  },
  {
    rule,
    what: 'an open week that lacks what was only requested later',
    world: { pace: 0.1 },
    whole: (recorded) =>
      damageExchange(hoursAfter(recorded), 'recent WEEK', fields(-1, { volume: '1', volumeUsd: '0' })),
    outcome: 'unexercised',
  },
  {
    rule,
    what: 'an open week of an older clock than that of its parts',
    whole: (recorded) =>
      damageExchange(
        recorded,
        'recent WEEK',
        all(
          header('date', 'Wed, 18 Mar 2026 10:35:35 GMT'),
          fields(-1, ({ timestampSeconds }) => ({
            volume: '1',
            volumeUsd: '0',
            timestampSeconds: Number(timestampSeconds) - 120,
          })),
        ),
      ),
    evidence: 1,
  },
];
