import type { Candle } from '@candleproof/law/reading/candle';
import { expect, test } from '@playwright/test';
import { findFlatLines } from './flat-lines.ts';
import { readHours } from './testing/answered-rows.ts';

const hour = 3600;
const start = Date.parse('2026-03-02T00:00:00Z') / 1000;

type Row = { readonly close: number; readonly volumeUsd: string; readonly liquidityUsd: string };

/** Hours of a market that moves a little; some of them changed. */
function hours(count: number, value: (at: number) => Partial<Row>): readonly Candle[] {
  const rows = Array.from({ length: count }, (_, at) => {
    const usual = {
      close: 1 + 0.01 * Math.sin(at),
      volumeUsd: String(100 + (at % 7) * 40),
      liquidityUsd: `${5000 + at}`,
    };
    const { close, ...amounts } = { ...usual, ...value(at) };
    const times = { startTimestampSeconds: start + at * hour, timestampSeconds: start + (at + 1) * hour };
    const prices = { open: close, high: close, low: close, close, avg: close };
    return { poolId: 1, ...prices, volume: '5', liquidity: '9', ...amounts, ...times };
  });
  return readHours(rows);
}

const places = (found: readonly { candle: Candle }[]): number[] =>
  found.map(({ candle }) => (candle.start - start) / hour);

const frozen = { close: 1, volumeUsd: '0', liquidityUsd: '5000' };

test('half a day in which nothing moves is a flat line, an hour less is none', () => {
  expect(
    places(
      findFlatLines(
        hours(40, (at) => (at < 12 ? frozen : {})),
        'hour',
        hour,
      ),
    ),
  ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(
    findFlatLines(
      hours(40, (at) => (at < 11 ? frozen : {})),
      'hour',
      hour,
    ),
  ).toEqual([]);
});

test('a quiet pool whose worth in dollars moves is no flat line', () => {
  const quiet = (at: number) => ({ close: 1, volumeUsd: '0', liquidityUsd: String(5000 + at / 100) });
  expect(findFlatLines(hours(100, quiet), 'hour', hour)).toEqual([]);
});

test('a pool too small for its dollars to move is no flat line', () => {
  expect(
    findFlatLines(
      hours(100, () => ({ ...frozen, liquidityUsd: '3.5' })),
      'hour',
      hour,
    ),
  ).toEqual([]);
});
