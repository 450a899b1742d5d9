import { expect, test } from '@playwright/test';
import { hour } from '../calendar.ts';
import type { ResultsReader } from '../results-store.ts';
import { plainRollUp } from '../testing/plain-roll-up.ts';
import { startRecording } from '../testing/recording-process.ts';
import { useFolder } from '../testing/stores.ts';
import { openResults, openResultsForReading } from './open.ts';

const kills = Number(process.env.CANDLEPROOF_KILLS ?? (process.env.CANDLEPROOF_THOROUGH ? 20 : 5));
const all = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Counts the batches; throws if one is missing in between or is there in part. */
async function wholeBatches(store: ResultsReader): Promise<number> {
  const reported = (await store.events(all)).map(({ detail }) => detail.number);
  expect(reported).toEqual(reported.map((_, index) => index));
  const slots = await store.slots(all);
  const done = slots.filter(({ samples }) => samples.length === 2).map(({ reason }) => Number(reason));
  expect(done).toEqual(reported);
  expect(slots.length - done.length).toBeLessThanOrEqual(1);
  expect(await store.state('number')).toBe(reported.at(-1));
  expect(await store.hours(all)).toEqual(plainRollUp(slots, hour));
  return reported.length;
}

test(`a killed writer loses nothing that was confirmed (${kills} kills)`, () => {
  test.setTimeout(30_000 + kills * 8000);
  return useFolder(async (folder) => {
    let batches = 0;
    for (let kill = 0; kill < kills; kill++) {
      const recording = startRecording(folder, batches);
      await recording.awaitConfirmed();
      await new Promise((resolve) => setTimeout(resolve, (kill * 97) % 400));
      await recording.kill();
      const confirmed = await recording.awaitConfirmed();
      const store = await openResults(folder);
      expect(confirmed).toBeGreaterThanOrEqual(batches);
      batches = await wholeBatches(store);
      expect(batches).toBeGreaterThan(confirmed);
      await store.close();
    }
  });
});

test('a reader sees whole and growing results while another process writes', () =>
  useFolder(async (folder) => {
    const recording = startRecording(folder);
    let confirmed = await recording.awaitConfirmed();
    const reader = await openResultsForReading(folder);
    for (let look = 0; look < 12; look++) {
      const slots = await reader.slots(all);
      const done = slots.filter(({ samples }) => samples.length === 2).map(({ reason }) => Number(reason));
      expect(done).toEqual(done.map((_, index) => index));
      expect(done.length).toBeGreaterThan(confirmed);
      const hours = await reader.hours(all);
      const requests = hours.reduce((count, hour) => count + hour.requests, 0);
      expect(requests).toBeGreaterThanOrEqual(2 * done.length);
      confirmed = await recording.awaitConfirmed(confirmed + 3);
    }
    await reader.close();
    await recording.kill();
  }));
