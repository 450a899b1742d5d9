import { expect, test } from '@playwright/test';
import type { EventRecord } from '../results/results-store.ts';
import { listRestatements } from './events.ts';

const event = (interval: string, ageFromMs: number, ageToMs: number): EventRecord => ({
  at: ageToMs,
  kind: 'restatement',
  target: 'mainnet',
  detail: { interval, pool: 1, start: 0, ageFromMs, ageToMs, changed: { high: ['1', '2'] } },
});

test('the grace period is that of the latest correction of each interval', () => {
  const { grace } = listRestatements([
    event('HOUR', 10, 90),
    event('HOUR', 50, 60),
    event('FIVEMIN', -5, 20),
  ]);
  expect(grace).toEqual([
    { target: 'mainnet', interval: 'FIVEMIN', candles: 1, from: 0, to: 20, fields: { high: 1 } },
    { target: 'mainnet', interval: 'HOUR', candles: 2, from: 10, to: 90, fields: { high: 2 } },
  ]);
});

test('a new network is no correction of candles', () => {
  const reset = { at: 5, kind: 'network-reset', target: 'testnet', detail: { candles: 48 } };
  expect(listRestatements([reset])).toEqual({ events: [], grace: [], resets: [reset] });
});
