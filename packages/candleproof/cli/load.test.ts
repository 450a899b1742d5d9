import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountId } from '@candleproof/client/ledger/ledger-store';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { candleproof, start } from '@candleproof/command/command';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import type { LoadRun } from '@candleproof/load/load-run';
import { expect, test } from '@playwright/test';
import { LoadedService } from './testing/loaded-service.ts';

const folder = passingFolder();
const state = join(folder, 'state');

let loaded: LoadedService;
let service: LoadedService['service'];
let files: { key: string; ca: string };

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  loaded = await LoadedService.start();
  service = loaded.service;
  files = { key: join(folder, 'key'), ca: join(folder, 'ca.pem') };
  writeFileSync(files.key, service.apiKey);
  writeFileSync(files.ca, service.caPem);
});

test.afterAll(() => loaded?.close());

function flagsFor(out: string): string[] {
  const pools = (ids: readonly number[]): string => ids.join(',');
  return [
    ...['--base-url', service.url, '--api-key-file', files.key, '--ca-file', files.ca],
    ...['--pools-v1', pools(service.poolsV1), '--pools-v2', pools(service.poolsV2)],
    ...['--timeout', '1000', '--out', join(folder, out)],
  ];
}

const run = (args: readonly string[]) => candleproof(args, { CANDLEPROOF_STATE_DIR: state });

function loadRunIn(out: string): LoadRun {
  return JSON.parse(readFileSync(join(folder, out, 'load.json'), 'utf8'));
}

async function booked(): Promise<number> {
  const ledgers = await openLedgers(join(state, 'ledger.db'), { readQuota: readOurQuota });
  const status = await ledgers.account(accountId(service.url, service.apiKey)).status(Date.now());
  await ledgers.close();
  return status ? status.limit - (status.remaining ?? 0) : Number.NaN;
}

test('a load sends its bill, and the ledger holds what the service has counted', async () => {
  const { code, stdout, stderr } = await run([
    'load',
    'smoke',
    '--rate',
    '20',
    '--duration',
    '2',
    ...flagsFor('smoke'),
  ]);
  expect(stderr).toBe('');
  // A busy machine may be too slow for it, and says so.
  expect([0, 3]).toContain(code);
  expect(stdout).toMatch(
    /^smoke at 127\.0\.0\.1: 40 requests over 2 s, 20 a second at most.*embedded engine\n/,
  );
  const { figures, trial } = loadRunIn('smoke');
  expect(trial).toMatchObject({ bill: 40, budget: 41, judgeShare: 1 });
  expect(figures.sent).toBeGreaterThan(30);
  expect(figures.judged).toBe(figures.outcomes.ok);
  expect(figures).toMatchObject({ breached: 0, crashed: 0, checked: figures.sent });
  expect(await loaded.counted()).toBe(figures.sent + 1);
  expect(await booked()).toBe(figures.sent + 1);
  for (const name of readdirSync(join(folder, 'smoke')))
    expect(readFileSync(join(folder, 'smoke', name), 'utf8')).not.toContain(service.apiKey);
});

test('a floor ends the run, by no more than the requests in flight', async () => {
  const left = loaded.limit - (await loaded.counted()) - loaded.requested;
  const floor = left - 40;
  const flags = ['--rate', '40', '--duration', '10', '--judge', '0', '--floor', String(floor)];
  const { code, stdout } = await run(['load', 'smoke', ...flags, ...flagsFor('floor')]);
  expect(code).toBe(3);
  expect(stdout).toContain('it measured the key’s limit');
  const { ended, figures } = loadRunIn('floor');
  expect(ended).toBe('floor');
  expect(figures.sent).toBeLessThan(300);
  const over = floor - (loaded.limit - (await loaded.counted()) - loaded.requested);
  expect(over).toBeGreaterThanOrEqual(0);
  expect(over).toBeLessThanOrEqual(40);
});

test('a bill that the key cannot pay is refused, and nothing of it is sent', async () => {
  const before = await loaded.counted();
  const { code, stderr } = await run([
    'load',
    'smoke',
    '--rate',
    '1000',
    '--duration',
    '5000',
    ...flagsFor('dear'),
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/the bill is 5000000 requests, and the key has \d+ to spare .*--scale 0\.\d+/);
  const scaled = await run([
    ...['load', 'smoke', '--rate', '1', '--scale', '1000', '--duration', '5000', ...flagsFor('dearer')],
  ]);
  const [, bill, most, scale] =
    /bill is (\d+) requests, .* has (\d+) to .*--scale ([\d.]+)/.exec(scaled.stderr) ?? [];
  const fitting = (Number(bill) * Number(scale)) / 1000;
  expect(fitting).toBeLessThanOrEqual(Number(most));
  expect(fitting).toBeGreaterThan(0.98 * Number(most));
  expect((await loaded.counted()) - before).toBe(2);
});

test('an interrupted load tells what it learnt, and what was not sent is given back', async () => {
  const before = await loaded.counted();
  const flags = ['--rate', '25', '--duration', '40', '--judge', '0'];
  const child = start(['load', 'smoke', ...flags, ...flagsFor('stopped')], { CANDLEPROOF_STATE_DIR: state });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await expect.poll(async () => (await loaded.counted()) - before, { timeout: 40_000 }).toBeGreaterThan(20);
  child.kill('SIGINT');
  expect(await ended).toBe(3);
  const { ended: how, figures } = loadRunIn('stopped');
  expect(how).toBe('interrupted');
  const truth = await loaded.counted();
  expect(figures.sent).toBeGreaterThanOrEqual(truth - before - 1);
  expect(figures.sent).toBeLessThan(750);
  expect(await booked()).toBeGreaterThanOrEqual(truth);
  expect(await booked()).toBeLessThan(before + loaded.requested + 750);
});

/** Returns the process that sends a load of this test: its environment names the ledger's folder. */
function generatorPid(): number | undefined {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(join('/proc', pid, file), 'utf8');
    } catch {
      return '';
    }
  };
  const found = readdirSync('/proc').find(
    (pid) =>
      /^\d+$/.test(pid) &&
      read(pid, 'cmdline').includes('embedded-engine') &&
      read(pid, 'environ').includes(state),
  );
  return found === undefined ? undefined : Number(found);
}

test('a generator killed in the middle leaves the ledger no lower than the truth', {
  tag: '@endurance',
}, async () => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const before = await loaded.counted();
  const flags = ['--rate', '25', '--duration', '20', '--judge', '0'];
  const child = start(['load', 'smoke', ...flags, ...flagsFor('killed')], { CANDLEPROOF_STATE_DIR: state });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await expect.poll(async () => (await loaded.counted()) - before, { timeout: 40_000 }).toBeGreaterThan(20);
  const pid = generatorPid();
  if (pid === undefined) throw new Error('no generator runs');
  process.kill(pid, 'SIGKILL');
  expect(await ended).toBe(3);
  expect(loadRunIn('killed').ended).toBe('killed');
  // The whole bill, on top of all that was counted when it began.
  expect(await booked()).toBeGreaterThanOrEqual(before + 500);
  expect(await booked()).toBeGreaterThanOrEqual(await loaded.counted());
});
