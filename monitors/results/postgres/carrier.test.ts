import { PostgresAddress } from '@candleproof/postgres/address';
import { CutLine } from '@candleproof/postgres/testing/cut-line';
import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import { openPostgresResultsForReading } from '../open-source.ts';
import { usualRetention } from '../results-store.ts';
import { openQueuedResults } from '../sqlite/open.ts';
import type { QueuedResults } from '../sqlite/queue.ts';
import { StoreFull } from '../store-error.ts';
import { useFolder } from '../testing/stores.ts';
import { Carrier } from './carrier.ts';

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };

async function opened(local: QueuedResults, address: PostgresAddress) {
  const heard: string[] = [];
  const carrier = await Carrier.open(local, {
    ...{ address, location: 'fra-1' },
    onCutOff: () => heard.push('cut off'),
    onCaughtUp: () => heard.push('caught up'),
    onTrouble: (error) => heard.push(String(error)),
  });
  return { carrier, heard };
}

function reportOf(at: number) {
  return { events: [{ at, kind: 'reported', detail: { at } }] };
}

async function reportedAt(address: PostgresAddress): Promise<number[]> {
  const reader = await openPostgresResultsForReading(address);
  const events = await reader.events(all);
  await reader.close();
  return events.map(({ at }) => at);
}

test('a full disk does not end the carrying, and batches that it could not remove are stored once', ({
  postgres: { address },
}) =>
  useFolder(async (folder) => {
    const local = await openQueuedResults(folder, usualRetention);
    let room = false;
    const taken: QueuedResults['taken'] = async (batches) => {
      if (!room) throw new StoreFull('no room');
      await local.taken(batches);
    };
    const { carrier, heard } = await opened({ ...local, taken }, address);
    await local.queue({}, reportOf(1));
    carrier.wake();
    await expect.poll(() => reportedAt(address)).toEqual([1]);
    await local.queue({}, reportOf(2));
    await expect.poll(() => reportedAt(address)).toEqual([1, 2]);
    room = true;
    await expect.poll(() => local.queued(1)).toEqual([]);
    expect(heard).toEqual([]);
    expect(await reportedAt(address)).toEqual([1, 2]);
    await carrier.close();
    await local.close();
  }));

test('a batch whose confirmation was lost is stored once', ({ postgres: { url, address } }) =>
  useFolder(async (folder) => {
    const line = new CutLine(Number(new URL(url).port));
    const far = new URL(url);
    far.port = String(await line.listen());
    const local = await openQueuedResults(folder, usualRetention);
    const { carrier, heard } = await opened(local, new PostgresAddress(far.href));
    await expect.poll(() => carrier.awaitCarried()).toBe(true);
    await local.queue(
      {},
      { ...reportOf(1), deliveries: [{ id: 'a', sink: 'ops', dueAt: 0, attempts: 0, message: 1 }] },
    );
    line.loseAnswerTo('COMMIT');
    carrier.wake();
    await expect.poll(() => heard).toEqual(['cut off', 'caught up']);
    expect(await reportedAt(address)).toEqual([1]);
    expect(await local.queued(1)).toEqual([]);
    await carrier.close();
    await local.close();
    line.close();
  }));

test('the end of a monitor does not wait for a server that is silent', ({ postgres: { address }, cluster }) =>
  useFolder(async (folder) => {
    const local = await openQueuedResults(folder, usualRetention);
    const { carrier } = await opened(local, address);
    await expect.poll(() => carrier.awaitCarried()).toBe(true);
    cluster.signalAll('SIGSTOP');
    try {
      await local.queue({}, reportOf(1));
      carrier.wake();
      const began = performance.now();
      await carrier.close();
      // Three seconds, with room for a slow machine.
      expect(performance.now() - began).toBeLessThan(6000);
    } finally {
      cluster.signalAll('SIGCONT');
    }
    await local.close();
  }));
