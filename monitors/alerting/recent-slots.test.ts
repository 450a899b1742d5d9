import { expect, test } from '@playwright/test';
import { memoryStore } from '../testing/memory-store.ts';
import { memoryMs, recentSlots } from './recent-slots.ts';
import { hour, makeSlot, midnight, minute } from './testing/slots.ts';

test('whole minutes are read from the longest window back to now itself, in order', async () => {
  const store = memoryStore();
  const now = midnight + 30_000;
  const instants = [midnight - memoryMs, now - memoryMs, now - 2 * hour, now - minute, now];
  const others = [midnight - memoryMs - 1, now + 1].map((at) => makeSlot(at));
  const foreign = makeSlot(now, 'ok', { series: { location: 'oslo' } });
  await store.record({ slots: [...instants.map((at) => makeSlot(at)), ...others, foreign] });
  const read: number[] = [];
  const horizon = await recentSlots(store, 'sydney', now, ({ scheduledAt }) => read.push(scheduledAt));
  expect(read).toEqual(instants);
  expect(horizon).toBe(midnight - memoryMs);
});
