import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { candleAddress, moveAddress } from './breach.ts';

const series = { operation: 'listV2PoolCandles', pool: 1, interval: 'HOUR' };

test('an address names operation, pool, interval and start, and the direction only if it is inverted', () => {
  expect(candleAddress(series, 1762905600)).toBe('listV2PoolCandles-c-1-HOUR-1762905600');
  expect(candleAddress({ ...series, inverted: true }, 1762905600)).toBe(
    'listV2PoolCandles-c-1-HOUR-1762905600-i',
  );
  expect(candleAddress({ operation: 'klines', pool: 'BTC-EUR', interval: '1h' }, 0)).toBe(
    'klines-c-BTC-EUR-1h-0',
  );
});

test('two candles share no address, and no name leaves the letters of an id', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 6 });
  const candle = fc.record({ operation: name, pool: name, interval: name, inverted: fc.boolean() });
  fc.assert(
    fc.property(candle, candle, fc.nat(3), fc.nat(3), (one, other, start, later) => {
      const addresses = [candleAddress(one, start), candleAddress(other, later)];
      for (const address of addresses) expect(address).toMatch(/^[\w-]+$/);
      const isSame = JSON.stringify([one, start]) === JSON.stringify([other, later]);
      expect(addresses[0] === addresses[1]).toBe(isSame);
    }),
    { numRuns: 500 },
  );
});

test('an address leads to the others of its series', () => {
  for (const inverted of [false, true]) {
    const all = [1762905600, 0].map((start) => candleAddress({ ...series, pool: 'a-1', inverted }, start));
    expect(moveAddress(all[0] ?? '', 0)).toBe(all[1]);
  }
});

test('names with signs that addresses use stay apart', () => {
  const all = ['a-c-b', 'a_2d_', 'a-', 'a', '<script>', '"', ' ', '../', 'ü', '\u202e'].flatMap((pool) =>
    [false, true].map((inverted) => candleAddress({ ...series, pool, inverted }, 1)),
  );
  expect(new Set(all).size).toBe(all.length);
});
