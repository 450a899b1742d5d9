import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  type Distort,
  damageExchange,
  everyRow,
  type Fields,
  fields,
  rows,
  text,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

/** Replaces one answer's body by another's, under the requested pool's number. */
function replaceBody(from: string, at: string): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const { response } = recorded.recording.exchanges[recorded.names.indexOf(from)] ?? {};
    const copied = damageExchange(recorded, at, text(response?.body?.text ?? ''));
    const renamed = at.startsWith('latest') ? fields(0, { poolId: 2 }) : everyRow(() => ({ poolId: 2 }));
    return damageExchange(copied, at, renamed);
  };
}

const rule = 'history/pools-differ';

/** Replaces one answer's body by another's, with its pool's number. */
function copyAnswer(from: string, at: string): (recorded: NamedRecording) => NamedRecording {
  return (recorded) => {
    const { response } = recorded.recording.exchanges[recorded.names.indexOf(from)] ?? {};
    return damageExchange(recorded, at, text(response?.body?.text ?? ''));
  };
}

/** Gives the second pool the first pool's hours, except for this. */
const copyAlmost =
  (damage: Distort) =>
  (recorded: NamedRecording): NamedRecording =>
    damageExchange(replaceBody('recent HOUR of 1', 'recent HOUR of 2')(recorded), 'recent HOUR of 2', damage);

const isAs = { rule: 'candle/pool-is-as-asked', expected: '2', actual: '1' } as const;

const inPart = {
  rule: 'history/pools-share-no-column',
  expected: /^\w+ and \w+.* other than those of V2 pool 1$/,
  actual: /^the same in 4\d candles from /,
} as const;

export const poolBreaches: readonly BreachCase[] = [
  {
    ...isAs,
    what: 'the hours of another pool with its number',
    whole: copyAnswer('recent HOUR of 1', 'recent HOUR of 2'),
    pointer: '/*/poolId',
    count: 48,
  },
  {
    ...isAs,
    what: 'the latest candle of another pool with its number',
    operation: 'getLatestV1PoolCandle',
    whole: copyAnswer('latest HOUR', 'latest HOUR of 2'),
    pointer: '/poolId',
  },
  {
    rule,
    what: 'five equal hours of a pool that is as young',
    world: { ages: [1e9, 6 * 3600] },
    whole: copyAlmost(rows((list) => list.slice(-6))),
    pointer: '/*/open',
    expected: 'candles other than those of V2 pool 1',
    actual: 'the same in 5 candles from 2026-03-18T05:00:00Z on',
  },
  {
    rule,
    what: 'the hours of the first pool as those of the second',
    whole: replaceBody('recent HOUR of 1', 'recent HOUR of 2'),
    pointer: '/*/open',
    expected: 'candles other than those of V2 pool 1',
    actual: /^the same in 4\d candles from 2026-03-16T1\d:00:00Z on$/,
  },
  {
    rule,
    what: 'the latest candle of one pool for another',
    operation: 'getLatestV1PoolCandle',
    whole: replaceBody('latest HOUR', 'latest HOUR of 2'),
    pointer: '/open',
    expected: 'candles other than those of V1 pool 1',
    actual: 'the same in the newest candle from 2026-03-18T10:00:00Z on',
    drawn: 2,
  },
  {
    rule,
    what: 'a history of V2 behind the latest candle of V1',
    operation: 'getLatestV1PoolCandle',
    whole: (recorded) => {
      const { response } = recorded.recording.exchanges[recorded.names.indexOf('recent HOUR of 2')] ?? {};
      const newest = (JSON.parse(response?.body?.text ?? '[]') as Fields[]).at(-1);
      return damageExchange(recorded, 'latest HOUR of 2', text(JSON.stringify(newest)));
    },
    pointer: '/open',
    expected: 'candles other than those of V2 pool 2',
    actual: 'the same in the newest candle from 2026-03-18T10:00:00Z on',
  },
  ...(
    [
      ['open', ({ high, low }) => (Number(high) + Number(low)) / 2, 'volume'],
      ['close', ({ high, low }) => (Number(high) + Number(low)) / 2, 'volume'],
      ['high', ({ high }) => Number(high) * (1 + 1e-9), 'volume'],
      ['low', ({ low }) => Number(low) * (1 - 1e-9), 'volume'],
      ['volume', ({ volume }) => String(Number(volume) + 1), 'open'],
      ['liquidity', ({ liquidity }) => String(Number(liquidity) + 1), 'open'],
    ] as const satisfies readonly (readonly [string, (record: Fields) => unknown, string])[]
  ).map(
    ([field, change, pointer]): BreachCase => ({
      ...inPart,
      what: `two pools that differ in ${field} alone`,
      whole: copyAlmost(everyRow((record) => ({ [field]: change(record) }))),
      pointer: `/*/${pointer}`,
    }),
  ),
  {
    ...inPart,
    what: 'two pools of which one hour differs',
    whole: copyAlmost(fields(20, ({ volume }) => ({ volume: String(Number(volume) + 1) }))),
    pointer: '/*/open',
  },
];

export const poolNearMisses: readonly NearMiss[] = [
  {
    rule,
    what: 'two pools of one price without trades',
    world: { prices: 'flat', trades: 0 },
    whole: copyAlmost(
      everyRow(({ liquidity }, row) => ({ liquidity: String(BigInt(String(liquidity)) + BigInt(row + 1)) })),
    ),
    outcome: 'unexercised',
  },
  {
    rule,
    what: 'four equal hours of a pool that is as young',
    world: { ages: [1e9, 5 * 3600] },
    whole: (recorded) =>
      damageExchange(
        replaceBody('recent HOUR of 1', 'recent HOUR of 2')(recorded),
        'recent HOUR of 2',
        rows((list) => list.slice(-5)),
      ),
  },
];
