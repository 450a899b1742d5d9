import { expect, test } from '@playwright/test';
import { StoreFull } from '../results/store-error.ts';
import { openWithRoom } from './patient-store.ts';

const full = new StoreFull('results.db: its disk is full');

function patienceWith(signal: AbortSignal, heard: string[]) {
  return {
    ...{ clock: { sleep: async () => undefined }, signal },
    onFull: ({ message }: Error) => void heard.push(message),
    onRoom: () => void heard.push('room'),
  };
}

test('a monitor that is started on a full disk waits, says so once, and opens when there is room', async () => {
  const heard: string[] = [];
  let tries = 0;
  const open = async (): Promise<string> => {
    tries += 1;
    if (tries < 4) throw full;
    return 'open';
  };
  expect(await openWithRoom(open, patienceWith(AbortSignal.any([]), heard))).toBe('open');
  expect([tries, heard]).toEqual([4, [full.message, 'room']]);
});

test('the wait for room ends with its signal, and any other error ends it at once', async () => {
  const stopped = AbortSignal.abort();
  await expect(openWithRoom(() => Promise.reject(full), patienceWith(stopped, []))).rejects.toBe(full);
  const other = new Error('the ledger is damaged');
  const heard: string[] = [];
  const patience = patienceWith(AbortSignal.any([]), heard);
  await expect(openWithRoom(() => Promise.reject(other), patience)).rejects.toBe(other);
  expect(heard).toEqual([]);
});
