import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openLedgers } from './ledgers.ts';
import { lifeOfThisProcess } from './life.ts';
import { QuotaServer, quotaInBody, senderTo, withKey } from './testing/quota-server.ts';

const account = 'shared';
const kills = Number(process.env.CANDLEPROOF_KILLS ?? 5);

function spender(file: string, url: string, count: number, together: number): ChildProcess {
  const script = new URL('./testing/spender.ts', import.meta.url).pathname;
  const args = [script, file, account, url, String(count), String(together)];
  return spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
}

async function withLedgerFile(use: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-ledger-'));
  try {
    await use(join(folder, 'ledger.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One request that is alone: from its answer on everything is exact. */
async function askAlone(file: string, url: string) {
  const ledgers = openLedgers(file, { readQuota: quotaInBody });
  const reservation = ledgers.account(account).reserveAnyway(1);
  await reservation.client(senderTo(url)).send(withKey);
  reservation.end();
  const status = ledgers.account(account).status(Date.now());
  const events = ledgers.account(account).events(0);
  ledgers.close();
  return { status, events };
}

test('several processes at once keep one exact sum and accuse nobody', async () => {
  const server = new QuotaServer();
  const url = await server.listen();
  await withLedgerFile(async (file) => {
    const processes = [1, 3, 4].map((together) => spender(file, url, 120, together));
    const codes = await Promise.all(processes.map(async (each) => (await once(each, 'close'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    const { status, events } = await askAlone(file, url);
    expect(server.used).toBe(361);
    expect(status).toMatchObject({ remaining: 10_000 - 361, reserved: 0 });
    expect(events).toEqual([]);
  }).finally(() => server.close());
});

test('what a killed process had in flight is doubtful and its reservation is free', async () => {
  let held = Promise.withResolvers<void>();
  let isHeld = false;
  const server = new QuotaServer(async () => {
    if (!isHeld) return;
    held.resolve();
    await new Promise(() => undefined);
  });
  const url = await server.listen();
  await withLedgerFile(async (file) => {
    await askAlone(file, url);
    for (let kill = 0; kill < kills; kill++) {
      held = Promise.withResolvers();
      isHeld = true;
      const before = server.used;
      const child = spender(file, url, 30, 3);
      await held.promise;
      child.kill('SIGKILL');
      await once(child, 'close');
      isHeld = false;
      const ledgers = openLedgers(file, { readQuota: quotaInBody });
      const status = ledgers.account(account).status(Date.now());
      expect(status?.reserved).toBe(0);
      // Never fewer than the service has counted, and never more than had left.
      expect(status?.remaining).toBeLessThanOrEqual(10_000 - server.used);
      expect(status?.remaining).toBeGreaterThanOrEqual(10_000 - before - 3);
      ledgers.close();
      const { status: after, events } = await askAlone(file, url);
      expect(after).toMatchObject({ remaining: 10_000 - server.used, reserved: 0 });
      expect(events).toEqual([]);
    }
  }).finally(() => server.close());
});

test('processes that open a new file at the same moment all get it', async () => {
  const server = new QuotaServer();
  const url = await server.listen();
  for (let round = 0; round < 3; round++) {
    await withLedgerFile(async (file) => {
      const processes = Array.from({ length: 5 }, () => spender(file, url, 1, 1));
      const codes = await Promise.all(processes.map(async (each) => (await once(each, 'close'))[0]));
      expect(codes).toEqual([0, 0, 0, 0, 0]);
    });
  }
  server.close();
});

test('a process is known by its number and its start', async () => {
  const life = lifeOfThisProcess();
  expect(life.isAlive(life.self)).toBe(true);
  const own = JSON.parse(life.self);
  expect(life.isAlive(JSON.stringify({ ...own, place: 'another container' }))).toBeUndefined();
  expect(life.isAlive(JSON.stringify({ ...own, started: '1' }))).toBe(false);
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
  const reported = { ...own, pid: child.pid };
  expect(life.isAlive(JSON.stringify({ ...reported, started: '1' }))).toBe(process.platform === 'win32');
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(life.isAlive(JSON.stringify(reported))).toBe(false);
});
