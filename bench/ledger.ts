/**
 * What the ledger adds to a request: two transactions, one before it leaves and one when it is answered. First alone,
 * then while another process books as fast as it can. Run it with `node bench/ledger.ts [folder]`, the folder on the
 * disk in question.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedgers } from '../http/ledger/ledgers.ts';
import { exchangeWith, quotaInBody, withKey } from '../http/ledger/testing/quota-server.ts';

const [, , place = tmpdir(), role] = process.argv;
const count = 5000;

async function book(folder: string, requests: number): Promise<number[]> {
  const ledgers = await openLedgers(join(folder, 'ledger.db'), { readQuota: quotaInBody });
  let used = 0;
  const send = async () => {
    used += 1;
    const quota = { limit: 1e6, remaining: 1e6 - used, additional: 0, reset: Date.now() + 1e9 };
    return exchangeWith(JSON.stringify(quota));
  };
  const reservation = await ledgers.account(`bench ${process.pid}`).reserveAnyway(requests);
  const client = reservation.client({ send });
  const costs: number[] = [];
  for (let sent = 0; sent < requests; sent++) {
    const began = performance.now();
    await client.send(withKey);
    costs.push(performance.now() - began);
  }
  await ledgers.close();
  return costs;
}

function print(what: string, costs: number[]): void {
  const sorted = costs.toSorted((a, b) => a - b);
  const at = (part: number): string => `${(sorted[Math.floor(part * sorted.length)] ?? 0).toFixed(3)} ms`;
  const mean = costs.reduce((sum, each) => sum + each, 0) / costs.length;
  console.log(`${what}: mean ${mean.toFixed(3)} ms, p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(0.9999)}`);
}

function rival(folder: string): ChildProcess {
  const script = new URL(import.meta.url).pathname;
  return spawn(process.execPath, [script, folder, 'rival'], { stdio: ['ignore', 'pipe', 'inherit'] });
}

if (role === 'rival') {
  process.stdout.write('begins\n');
  await book(place, count * 2);
} else {
  const folder = mkdtempSync(join(place, 'candleproof-bench-'));
  try {
    await book(folder, 500);
    print('alone', await book(folder, count));
    const other = rival(folder);
    if (other.stdout) await once(other.stdout, 'data');
    print('beside another process', await book(folder, count));
    other.kill();
    await once(other, 'close');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
