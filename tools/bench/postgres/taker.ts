/**
 * A process that counts requests in a store for `seconds`, with `atOnce` of them waiting at a time, and sends back the
 * number that it counted and the slowest hundredth (ms).
 */

import { PostgresAddress } from '@candleproof/postgres/address';
import { openPostgresStore } from '@candleproof/reference-service/store/postgres/postgres-store';
import { openStore } from '@candleproof/reference-service/store/sqlite/sqlite-store';

export type Taken = { readonly takes: number; readonly p99: number; readonly cpuMs: number };

const [place = '', keys = '1', seconds = '3', atOnce = '64'] = process.argv.slice(2);
const isDatabase = place.startsWith('postgres');
const store = isDatabase ? await openPostgresStore(new PostgresAddress(place)) : openStore(place);
const waits: number[] = [];
const cpu = process.cpuUsage();
const end = performance.now() + Number(seconds) * 1000;

async function take(): Promise<void> {
  for (let turn = 0; performance.now() < end; turn++) {
    const began = performance.now();
    await store.usage.count(1 + Math.floor(Math.random() * Number(keys)), '2026-11', 1);
    waits.push(performance.now() - began);
    // A synchronous counter must yield to the timer of its writes.
    if (turn % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, take));
const { user, system } = process.cpuUsage(cpu);
await store.close();
waits.sort((a, b) => a - b);
const taken: Taken = {
  takes: waits.length,
  p99: waits[Math.floor(waits.length * 0.99)] ?? 0,
  cpuMs: (user + system) / 1000,
};
process.send?.(taken);
process.disconnect?.();
