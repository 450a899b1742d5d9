import { expect, test } from '@playwright/test';
import type { EventRecord } from '../results/results-store.ts';
import { listRestatements, newestFirst } from './events.ts';

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

test('messages of one millisecond are in the order of their numbers, whatever the store returns first', () => {
  const [fired, changed, resolved] = ['fired', 'changed', 'resolved'].map((kind, n) => ({
    ...{ at: 5, kind: `alert-${kind}`, detail: { notice: 'folder', number: n + 9, words: 'zyx'[n] ?? '' } },
  })) as unknown as [EventRecord, EventRecord, EventRecord];
  const order = [resolved, changed, fired];
  expect(newestFirst([changed, resolved, fired])).toEqual(order);
  expect(newestFirst([fired, changed, resolved])).toEqual(order);
});
