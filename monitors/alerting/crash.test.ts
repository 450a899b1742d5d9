import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { EventRecord } from '../../results/results-store.ts';
import { openResults } from '../../results/sqlite/open.ts';
import { listLost } from './testing/lost-messages.ts';
import { openReceiver, type Receiver } from './testing/receiver.ts';
import { day, midnight } from './testing/slots.ts';

const worker = join(import.meta.dirname, 'testing/alert-worker.ts');
const marks = `${'.'.repeat(20)}${`xx${'.'.repeat(30)}`.repeat(4)}`;

/** Runs until the end, or until it is killed some ms after that message. Resolves to whether it came to its end. */
async function work(folder: string, { url, received }: Receiver, killAt: number, ms = 0): Promise<boolean> {
  const child = spawn(process.execPath, ['--no-warnings', worker, folder, url, marks], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  const watch = setInterval(() => {
    if (received.length >= killAt) setTimeout(() => child.kill('SIGKILL'), ms);
  }, 1);
  const [code, by] = await exit;
  clearInterval(watch);
  if (by !== 'SIGKILL') expect(code).toBe(0);
  return by === null;
}

async function eventsIn(folder: string): Promise<readonly EventRecord[]> {
  const store = await openResults(folder);
  const events = await store.events({ from: midnight, to: midnight + 30 * day });
  expect(await store.dueDeliveries(midnight + 30 * day)).toEqual([]);
  await store.close();
  return events;
}

test('a monitor killed again and again sends every alert that no newer one replaces, in order, and copies have the same id', {
  tag: '@endurance',
}, async () => {
  const receiver = await openReceiver((response) => response.writeHead(204).end());
  const [quiet, killed] = [test.info().outputPath('quiet'), test.info().outputPath('killed')];
  expect(await work(quiet, receiver, Number.POSITIVE_INFINITY)).toBe(true);
  const expected = await eventsIn(quiet);
  const ids = receiver.received.map(({ headers }) => headers['x-candleproof-id']);
  expect(ids).toEqual(expected.map(({ detail }) => detail.id));
  let deaths = 0;
  while (!(await work(killed, receiver, receiver.received.length + 3 + (deaths % 7), deaths % 5))) deaths++;
  expect(deaths).toBeGreaterThan(2);
  expect(await eventsIn(killed)).toEqual(expected);
  const reported = receiver.received.slice(ids.length).map(({ headers }) => headers['x-candleproof-id']);
  const sent = [...new Set(reported)];
  // A message that a kill kept back gives way to a newer one of its alert, never the last one.
  expect(sent).toEqual(ids.filter((id) => sent.includes(id)));
  expect(listLost(ids, new Set(sent))).toEqual([]);
  expect(sent.length).toBeGreaterThan(ids.length / 2);
  await receiver.close();
});
