import type { PostgresAddress } from '@candleproof/postgres/address';
import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import { day, hour } from './calendar.ts';
import { openLocationResults } from './location-store.ts';
import { openPostgresResultsForReading } from './open-source.ts';
import type { RecordBatch, ResultsStore } from './results-store.ts';
import { plainRollUp, sortRecords } from './testing/plain-roll-up.ts';
import { goodSlot, series } from './testing/slot.ts';
import { useFolder } from './testing/stores.ts';

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
const begin = Date.UTC(2026, 10, 1);

type Opened = { readonly store: ResultsStore; readonly heard: string[] };

async function opened(dataDir: string, address: PostgresAddress, location = 'fra-1'): Promise<Opened> {
  const heard: string[] = [];
  const store = await openLocationResults({
    ...{ dataDir, address, location, sinks: ['ops'], sharedStates: ['method'] },
    onCutOff: () => heard.push('cut off'),
    onCaughtUp: () => heard.push('caught up'),
    onTrouble: (error) => heard.push(error instanceof Error ? error.message : String(error)),
  });
  return { store, heard };
}

/** Returns a batch with everything that a slot writes. */
function makeBatch(number: number, location = 'fra-1'): RecordBatch {
  const at = begin + number * 600_000;
  return {
    slots: [goodSlot(at, { series: { ...series, location } })],
    events: [{ at, kind: 'reported', detail: { number, location } }],
    states: { method: { number }, [`progress ${location}`]: number },
  };
}

/** The numbers of the batches that are there; each batch is there as a whole. */
async function numbersAt(address: PostgresAddress): Promise<unknown[]> {
  const reader = await openPostgresResultsForReading(address);
  try {
    // A later read has at least as much.
    const events = await reader.events(all);
    const slots = await reader.slots(all);
    expect(slots.length).toBeGreaterThanOrEqual(events.length);
    const hours = await reader.hours(all);
    expect(hours.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(slots.length);
    return events.map(({ detail }) => detail.number);
  } finally {
    await reader.close();
  }
}

const upTo = (end: number): number[] => Array.from({ length: end }, (_, number) => number);

test('the records of a monitor that was cut off follow in order and once', ({
  postgres: { address, database },
  cluster,
}) =>
  useFolder(async (folder) => {
    const { store, heard } = await opened(folder, address);
    for (const number of upTo(5)) await store.record(makeBatch(number));
    await expect.poll(() => numbersAt(address)).toEqual(upTo(5));
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'candleproof fra-1'`,
    );
    for (const number of [5, 6]) await store.record(makeBatch(number));
    await expect.poll(() => numbersAt(address)).toEqual(upTo(7));
    await cluster.kill();
    for (const number of [7, 8, 9]) await store.record(makeBatch(number));
    await expect.poll(() => heard.at(-1)).toBe('cut off');
    expect((await store.slots(all)).length).toBe(10);
    await cluster.start();
    await expect.poll(() => heard.at(-1), { timeout: 15_000 }).toBe('caught up');
    expect(await numbersAt(address)).toEqual(upTo(10));
    await store.close();
    const reader = await openPostgresResultsForReading(address);
    expect([await reader.state('method'), await reader.state('progress fra-1')]).toEqual([
      { number: 9 },
      undefined,
    ]);
    await reader.close();
  }));

test('a monitor begins and ends while it is cut off, and a later one brings in what it found', ({
  postgres: { address },
  cluster,
}) =>
  useFolder(async (folder) => {
    await (await opened(folder, address)).store.close();
    await cluster.kill();
    const { store, heard } = await opened(folder, address);
    for (const number of upTo(3)) await store.record(makeBatch(number));
    expect(heard).toEqual(['cut off']);
    await store.close();
    await cluster.start();
    const later = await opened(folder, address);
    expect(await later.store.state('progress fra-1')).toBe(2);
    await expect.poll(() => numbersAt(address)).toEqual(upTo(3));
    await later.store.close();
  }));

test('a second live monitor of a location is refused in one line, others are not', ({
  postgres: { address, database },
}) =>
  useFolder((one) =>
    useFolder(async (other) => {
      const first = await opened(one, address);
      await expect(opened(other, address)).rejects.toThrow(
        /^127\.0\.0\.1:\d+\/test_\w+: another monitor writes for the location "fra-1" since 20[\dT:-]+ UTC: end that one, or give this one a name of its own \(monitor\.location\)\.$/,
      );
      await (await opened(other, address, 'nyc-1')).store.close();
      // One that was silent for so long that another took its place writes nothing more.
      await database.query("UPDATE results.writers SET until = now() - interval '1 s'");
      const second = await opened(other, address);
      await first.store.record(makeBatch(0));
      await expect.poll(() => first.heard).toContainEqual(expect.stringContaining('another monitor writes'));
      expect(await numbersAt(address)).toEqual([]);
      await first.store.close();
      await second.store.close();
    }),
  ));

test('hours that one location rolls up hold what another wrote meanwhile', ({ postgres: { address } }) =>
  useFolder((one) =>
    useFolder(async (other) => {
      const [fra, nyc] = [await opened(one, address), await opened(other, address, 'nyc-1')];
      const write = async ({ store }: Opened, location: string): Promise<void> => {
        for (const number of upTo(60)) {
          await store.record(makeBatch(number, location));
          if (number % 7 === 0) await store.tidy(begin + number * 600_000 + hour);
        }
      };
      await Promise.all([write(fra, 'fra-1'), write(nyc, 'nyc-1')]);
      await expect.poll(async () => (await numbersAt(address)).length).toBe(120);
      const reader = await openPostgresResultsForReading(address);
      const slots = await reader.slots(all);
      expect(sortRecords(await reader.hours(all))).toEqual(sortRecords(plainRollUp(slots, hour)));
      await reader.close();
      for (const { store } of [fra, nyc]) await store.close();
    }),
  ));

test('a database that falls silent holds up no tidying of the folder', ({ postgres: { address }, cluster }) =>
  useFolder(async (dataDir) => {
    const { store } = await opened(dataDir, address);
    for (const number of upTo(12)) await store.record(makeBatch(number));
    await expect.poll(async () => (await numbersAt(address)).length).toBe(12);
    cluster.signalAll('SIGSTOP');
    const begun = performance.now();
    try {
      for (const number of [12, 13, 14, 15]) {
        await store.record(makeBatch(number));
        await store.tidy(begin + day);
      }
      expect(performance.now() - begun).toBeLessThan(4000);
      expect(await store.hours(all)).toHaveLength(3);
    } finally {
      cluster.signalAll('SIGCONT');
    }
    await expect.poll(async () => (await numbersAt(address)).length, { timeout: 20_000 }).toBe(16);
    await store.close();
  }));

test('the database is tidied behind the folder', ({ postgres: { address, database } }) =>
  useFolder(async (dataDir) => {
    const { store } = await opened(dataDir, address);
    for (const number of upTo(12)) await store.record(makeBatch(number));
    await expect.poll(async () => (await numbersAt(address)).length).toBe(12);
    await store.tidy(begin + 2000 * day);
    const slots = async () => (await database.query('SELECT 1 AS one FROM results.slots')).length;
    await expect.poll(slots).toBe(0);
    await store.close();
  }));
