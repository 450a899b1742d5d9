import { expect, test } from '@playwright/test';
import { damages } from '../testing/damages.ts';
import { type MarketRow, makeMarket, marketKinds } from '../testing/markets.ts';
import { findSuspicions } from './pool-suspicions.ts';
import { readHours } from './testing/answered-rows.ts';

const length = 3600;
const kind = marketKinds.find(({ name }) => name === 'coin by the hour');
const market = kind === undefined ? [] : makeMarket(kind, 11, 2000);

/** Returns the kinds of what is doubted in rows that an API returns. */
function listKinds(rows: readonly MarketRow[]): string[] {
  const returned = rows.map(({ time, volume, open, high, low, close }) => ({
    ...{ poolId: 1, open, high, low, close, avg: close },
    ...{ volume: String(volume), liquidity: '9', volumeUsd: '1', liquidityUsd: '1' },
    ...{ startTimestampSeconds: time, timestampSeconds: time + length },
  }));
  return findSuspicions(readHours(returned), length).map((doubt) => doubt.kind);
}

const planted: readonly (readonly [damage: string, kind: string])[] = [
  ['unit changed: a hundredth from here on', 'jump'],
  ['spike of ten times', 'spike'],
  ['straight line of twenty rows', 'line'],
  ['three hundred rounded rows', 'rounded'],
  ['volumes a thousand times higher', 'volume'],
  ['open and close swapped', 'swapped'],
  ['day repeated', 'repeated'],
];

test('a healthy series is not doubted', () => {
  expect(market).toHaveLength(2000);
  expect(listKinds(market)).toEqual([]);
});

for (const [name, kind] of planted)
  test(`an audit doubts a series with ${name}`, () => {
    const rows = damages.find((damage) => damage.name === name)?.plant(market, 1000);
    expect(listKinds(rows ?? [])).toContain(kind);
  });
