/**
 * Measures the time that the ledger adds to a slot of one request: one statement that reserves it, and one that settles
 * it. First alone, then while another process does the same as fast as it can. Run it with `node tools/bench/ledger.ts [folder|URL]`, with a
 * folder on the disk in question or the URL of an empty PostgreSQL database. Without an argument, uses a temporary folder
 * and then, if installed, a new PostgreSQL server with fsync.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { exchangeWith, placeOf, quotaInBody, withKey } from '@candleproof/client/ledger/testing/quota-server';
import { isPostgresUrl } from '@candleproof/postgres/address';
import { TestCluster } from '@candleproof/postgres/testing/cluster';
import { findPostgres } from '@candleproof/postgres/testing/programs';

const [, , place, role] = process.argv;
const count = 5000;

async function book(address: string, requests: number): Promise<number[]> {
  const ledgers = await openLedgers(placeOf(address), { readQuota: quotaInBody });
  let used = 0;
  const send = async () => {
    used += 1;
    const quota = { limit: 1e6, remaining: 1e6 - used, additional: 0, reset: Date.now() + 1e9 };
    return exchangeWith(JSON.stringify(quota));
  };
  const account = ledgers.account(`bench ${process.pid}`);
  const costs: number[] = [];
  for (let sent = 0; sent < requests; sent++) {
    const began = performance.now();
    const reservation = await account.reserveAnyway(1);
    await reservation.client({ send }).send(withKey);
    await reservation.end();
    costs.push(performance.now() - began);
  }
  await ledgers.close();
  return costs;
}

function print(what: string, costs: number[]): void {
  const sorted = costs.toSorted((a, b) => a - b);
  const at = (part: number): string => `${(sorted[Math.floor(part * sorted.length)] ?? 0).toFixed(3)} ms`;
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  const rate = Math.round(1000 / mean);
  console.log(
    `${what}: mean ${mean.toFixed(3)} ms, p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(0.9999)}, ${rate} slots a second`,
  );
}

function rival(address: string): ChildProcess {
  const script = new URL(import.meta.url).pathname;
  return spawn(process.execPath, [script, address, 'rival'], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function measure(store: string, address: string): Promise<void> {
  await book(address, 500);
  print(`${store}, alone`, await book(address, count));
  const other = rival(address);
  if (other.stdout) await once(other.stdout, 'data');
  print(`${store}, beside another process`, await book(address, count));
  other.kill();
  await once(other, 'close');
}

async function measureFolder(parent: string): Promise<void> {
  const folder = mkdtempSync(join(parent, 'candleproof-bench-'));
  try {
    await measure('SQLite', join(folder, 'ledger.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureOwnServer(): Promise<void> {
  const programs = findPostgres();
  if (typeof programs === 'string') return console.log(`PostgreSQL: left out, ${programs}`);
  const cluster = new TestCluster(programs);
  try {
    await cluster.start({ fsync: true });
    await cluster.createDatabase('ledger');
    await measure('PostgreSQL', cluster.urlOf('ledger'));
  } finally {
    await cluster.stop();
  }
}

if (role === 'rival') {
  process.stdout.write('begins\n');
  await book(place ?? '', count * 2);
} else if (place !== undefined) {
  await (isPostgresUrl(place) ? measure('PostgreSQL', place) : measureFolder(place));
} else {
  await measureFolder(tmpdir());
  await measureOwnServer();
}
