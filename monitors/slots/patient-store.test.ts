import { expect, test } from '@playwright/test';
import type { RecordBatch } from '../results/results-store.ts';
import { StoreFull } from '../results/store-error.ts';
import { goodSlot } from '../results/testing/slot.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { retryingStore } from './patient-store.ts';

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** A store on a full disk, the notices about it, and how long was waited. */
function onFullDisk() {
  const store = memoryStore();
  const stop = new AbortController();
  const disk = { isFull: true, tries: 0 };
  const refuse = async (): Promise<void> => {
    disk.tries++;
    if (disk.isFull) throw new StoreFull('results.db: its disk is full');
  };
  const said: string[] = [];
  const waits: number[] = [];
  const patient = retryingStore(
    {
      ...store,
      record: (batch: RecordBatch) => refuse().then(() => store.record(batch)),
      tidy: (now) => refuse().then(() => store.tidy(now)),
    },
    {
      clock: {
        sleep: async (ms) => {
          waits.push(ms);
          if (waits.length === 8) disk.isFull = false;
        },
      },
      signal: stop.signal,
      onFull: ({ message }) => said.push(message),
      onRoom: () => said.push('room'),
    },
  );
  return { store, patient, stop, disk, said, waits };
}

test('a write waits ever longer for room, and nothing of it is lost', async () => {
  const { store, patient, said, waits } = onFullDisk();
  await patient.record({ slots: [goodSlot(1)] });
  await patient.record({ slots: [goodSlot(2)] });
  expect(waits).toEqual([1000, 2000, 5000, 10_000, 30_000, 30_000, 30_000, 30_000]);
  expect(said).toEqual(['results.db: its disk is full', 'room']);
  expect(await store.slots(all)).toEqual([goodSlot(1), goodSlot(2)]);
});

test('upkeep on a full disk is postponed', async () => {
  const { patient, said, disk } = onFullDisk();
  await patient.tidy(0);
  disk.isFull = false;
  await patient.tidy(0);
  expect(said).toEqual(['results.db: its disk is full', 'room']);
});

test('a stopped monitor no longer waits', async () => {
  const { patient, stop, disk } = onFullDisk();
  stop.abort();
  await expect(patient.record({ slots: [goodSlot(1)] })).rejects.toThrow(StoreFull);
  expect(disk.tries).toBe(1);
});

test('other trouble is no reason to wait', async () => {
  const { patient, store } = onFullDisk();
  const broken = retryingStore(
    { ...store, record: () => Promise.reject(new Error('broken')) },
    {
      clock: { sleep: async () => undefined },
      signal: AbortSignal.any([]),
      onFull: () => {},
      onRoom: () => {},
    },
  );
  await expect(broken.record({})).rejects.toThrow('broken');
  await patient.close();
});
