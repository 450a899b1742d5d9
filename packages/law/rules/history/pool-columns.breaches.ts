import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { answeredList, damageExchange, everyRow, type Fields, fields } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const rule = 'history/pools-share-no-column';

/** Gives the second pool's hours these fields of the first pool. */
const joinPools =
  (names: readonly string[], rows = 48) =>
  (recorded: NamedRecording): NamedRecording => {
    const first = answeredList(recorded, 'recent HOUR of 1');
    return damageExchange(
      recorded,
      'recent HOUR of 2',
      everyRow((_, row) => (row < rows ? only(names, first[row]) : {})),
    );
  };

/** Gives the latest candle of a V1 pool that is requested once these fields of a V2 pool's open candle. */
const latestJoined =
  (names: readonly string[]) =>
  (recorded: NamedRecording): NamedRecording =>
    damageExchange(
      recorded,
      'latest HOUR of 2',
      fields(0, only(names, answeredList(recorded, 'recent HOUR of 1').at(-1))),
    );

function only(names: readonly string[], record: Fields = {}): Fields {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}

const prices = ['open', 'high', 'low', 'close', 'avg'];

const ofHistory = { rule, actual: /^the same in 4\d candles from 2026-03-16T\d\d:00:00Z on$/ } as const;

export const poolColumnBreaches: readonly BreachCase[] = [
  {
    ...ofHistory,
    what: 'two pools of one volume',
    whole: joinPools(['volume', 'volumeUsd']),
    pointer: '/*/volume',
    expected: 'volume other than those of V2 pool 1',
  },
  {
    ...ofHistory,
    what: 'two pools of one liquidity',
    whole: joinPools(['liquidity', 'liquidityUsd']),
    pointer: '/*/liquidity',
    expected: 'liquidity other than those of V2 pool 1',
  },
  {
    ...ofHistory,
    what: 'two pools of one price',
    whole: joinPools(prices),
    pointer: '/*/open',
    expected: 'prices other than those of V2 pool 1',
  },
  {
    ...ofHistory,
    what: 'two pools of one volume in six hours',
    whole: joinPools(['volume', 'volumeUsd'], 6),
    pointer: '/*/volume',
    expected: 'volume other than those of V2 pool 1',
    actual: /^the same in [56] candles/,
  },
  {
    rule,
    what: 'a latest candle of V1 with prices and liquidity of V2',
    operation: 'getLatestV1PoolCandle',
    whole: latestJoined([...prices, 'liquidity', 'liquidityUsd']),
    pointer: '/open',
    expected: 'prices and liquidity other than those of V2 pool 1',
    actual: 'the same in the latest candle from 2026-03-18T10:00:00Z on',
    drawn: 2,
  },
];

export const poolColumnNearMisses: readonly NearMiss[] = [
  { rule, what: 'two pools of one volume in four hours', whole: joinPools(['volume', 'volumeUsd'], 4) },
  { rule, what: 'two pools without trades', world: { trades: 0 }, whole: joinPools(['volume', 'volumeUsd']) },
  { rule, what: 'two pools of one rounded price', world: { digits: 5 }, whole: joinPools(prices) },
  {
    rule,
    what: 'a latest liquidity that is that of another pool by chance',
    whole: latestJoined(['liquidity', 'liquidityUsd']),
  },
];
