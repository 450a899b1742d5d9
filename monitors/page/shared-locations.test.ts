import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { PostgresAddress } from '@candleproof/postgres/address';
import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import { hour } from '../results/calendar.ts';
import { openLocationResults } from '../results/location-store.ts';
import { openPostgresResults, openPostgresResultsForReading } from '../results/open-source.ts';
import type { ResultsReader } from '../results/results-store.ts';
import { openResultsForReading } from '../results/sqlite/open.ts';
import { goodSlot, series } from '../results/testing/slot.ts';
import { type MonitorNumbers, monitorNumbers } from './numbers.ts';
import { readFacts } from './page-facts.ts';
import { samplePlan } from './testing/sample-monitor.ts';
import { monitorView } from './view.ts';

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
const begin = Date.UTC(2026, 10, 1);
const count = 240;
const end = begin + count * 300_000 + hour;
const locations = ['fra', 'nyc', 'syd'];

type Figures = MonitorNumbers['targets'][number];

/** The report's figures by location. */
async function readFigures(store: ResultsReader): Promise<Map<string, Figures>> {
  const { targets } = monitorNumbers(monitorView(await readFacts(store, end), samplePlan));
  const measured = targets.filter(({ n }) => n > 0);
  return new Map(measured.map((target) => [target.location, target]));
}

test('three locations write into one database through its crashes, and each has its own figures', {
  tag: '@endurance',
}, async ({ postgres: { url, address }, cluster }) => {
  test.slow();
  const locationFolder = (location: string): string => test.info().outputPath(location);
  const recording = locations.map((location) => startRecording(locationFolder(location), url, location));
  const acknowledged = writeUntilCut(address);
  for (const least of [60, 150]) {
    await Promise.all(recording.map(({ reaches }) => reaches(least)));
    await cluster.kill();
    await cluster.start();
  }
  for (const { ended } of recording) expect(await ended).toEqual([0, null]);
  // The next monitor on a folder brings along the slots that were left in it.
  for (const location of locations) await openedAgain(locationFolder(location), address, location);
  const shared = await openPostgresResultsForReading(address);
  const here = await shared.slots(all, { location: 'here' });
  expect((await acknowledged).length).toBeGreaterThan(0);
  expect(new Set(here.map(({ scheduledAt }) => scheduledAt))).toEqual(
    new Set([...here.map(({ scheduledAt }) => scheduledAt), ...(await acknowledged)]),
  );
  const figures = await readFigures(shared);
  for (const location of locations) {
    const folderReader = await openResultsForReading(locationFolder(location));
    expect((await folderReader.slots(all)).length).toBe(count);
    expect(await shared.slots(all, { location })).toEqual(await folderReader.slots(all));
    expect(figures.get(location)).toEqual((await readFigures(folderReader)).get(location));
    expect(figures.get(location)).toMatchObject({ n: count });
    await folderReader.close();
  }
  const events = await shared.events(all);
  expect(events.length).toBe(count * locations.length);
  await shared.close();
});

/** Writes straight into the database until it is cut; the planned instants of what it had confirmed. */
async function writeUntilCut(address: PostgresAddress): Promise<number[]> {
  const store = await openPostgresResults(address);
  const confirmed: number[] = [];
  try {
    for (let at = begin; ; at += 60_000) {
      await store.record({ slots: [goodSlot(at, { series: { ...series, location: 'here' } })] });
      confirmed.push(at);
    }
  } catch {
    await store.close();
    return confirmed;
  }
}

type Recording = { readonly reaches: (least: number) => Promise<void>; readonly ended: Promise<unknown> };

function startRecording(folder: string, url: string, location: string): Recording {
  const file = new URL('../results/testing/location-recording.ts', import.meta.url).pathname;
  const child: ChildProcess = spawn(process.execPath, [file, folder, url, location, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 150_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    said = (said + part).slice(-40);
  });
  const newest = (): number => Number(said.split('\n').at(-2) ?? -1);
  return {
    reaches: (least) => expect.poll(newest, { timeout: 60_000 }).toBeGreaterThanOrEqual(least),
    ended: once(child, 'close'),
  };
}

async function openedAgain(dataDir: string, address: PostgresAddress, location: string): Promise<void> {
  const store = await openLocationResults({
    ...{ dataDir, address, location, sinks: [], sharedStates: [] },
    ...{ onCutOff: () => undefined, onCaughtUp: () => undefined, onTrouble: () => undefined },
  });
  await store.close();
}
