import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@playwright/test';
import { openResultsForReading } from '../../results/sqlite/open.ts';
import type { TrafficMinute } from '../judging/messages.ts';
import { Keeper } from './keeper.ts';
import { TrafficStore } from './traffic-store.ts';

const begin = Date.UTC(2026, 10, 1, 12);
const passing = { target: 'mainnet', location: 'here' };

function minuteAt(number: number, passed = 1): TrafficMinute {
  const operation = { operation: 'listTokens', passed, endings: [{ status: 200 }], broken: [], samples: [] };
  return { begin: begin + number * 60_000, operations: [operation], isUnanswered: false };
}

async function keptIn(folder: string): Promise<(readonly [minute: number, passed: number | undefined])[]> {
  const store = await openResultsForReading(folder);
  const slots = await store.slots({ from: 0, to: 9e15 });
  await store.close();
  return slots.map(({ scheduledAt, passed }) => [(scheduledAt - begin) / 60_000, passed] as const);
}

test('what cannot be written is dropped and said once, until it can be written again', async () => {
  const folder = test.info().outputPath('traffic');
  const lost: string[] = [];
  const keeper = await Keeper.open({ results: { folder, passing } }, (part, reason) =>
    lost.push(`${part}: ${reason}`),
  );
  const database = new DatabaseSync(join(folder, 'results.db'), { timeout: 5000 });
  const minutes = async (): Promise<number[]> => (await keptIn(folder)).map(([number]) => number);
  keeper.take(minuteAt(0));
  await expect.poll(minutes).toEqual([0]);
  database.exec('ALTER TABLE slots RENAME TO away');
  keeper.take(minuteAt(1));
  keeper.take(minuteAt(2));
  await expect.poll(() => lost).toEqual([expect.stringMatching(/^results: .*no such table/)]);
  database.exec('ALTER TABLE away RENAME TO slots');
  keeper.take(minuteAt(3));
  await expect.poll(minutes).toContain(3);
  database.exec('ALTER TABLE slots RENAME TO away');
  keeper.take(minuteAt(4));
  await expect.poll(() => lost).toHaveLength(2);
  database.exec('ALTER TABLE away RENAME TO slots');
  database.close();
  await keeper.close(5000);
  expect((await minutes()).filter((minute) => minute !== 2)).toEqual([0, 3]);
});

test('a proxy that is started anew in the same minute does not write over what the one before saw', async () => {
  const folder = test.info().outputPath('traffic');
  for (const passed of [5, 1]) {
    const store = await TrafficStore.open(folder, passing);
    await store.keep(minuteAt(0, passed), begin);
    await store.keep(minuteAt(passed, passed), begin);
    await store.close();
  }
  expect(await keptIn(folder)).toEqual([
    [0, 5],
    [5, 5],
  ]);
});
