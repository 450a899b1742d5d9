import { parentPort, workerData } from 'node:worker_threads';
import { type Ledgers, openLedgers } from '@candleproof/client/ledger/ledgers';
import { PostgresAddress } from '@candleproof/postgres/address';
import type { FromBookingThread, LedgerPlan, ToBookingThread } from './counter-booking.ts';

const plan: LedgerPlan = workerData;
let ledgers: Ledgers | undefined;
let work: Promise<unknown> = open();

parentPort?.on('message', (message: ToBookingThread) => {
  work = work.then(() => (message.kind === 'close' ? close() : answer(message)));
});

async function open(): Promise<void> {
  try {
    const place = 'file' in plan ? plan.file : new PostgresAddress(plan.url);
    ledgers = await openLedgers(place, { readQuota: () => undefined });
    send({ kind: 'opened' });
  } catch (error) {
    send({ kind: 'refused', reason: errorMessage(error) });
  }
}

async function answer({ quota }: Exclude<ToBookingThread, { kind: 'close' }>): Promise<void> {
  try {
    await ledgers?.account(quota.account).noteAnswer(quota);
    send({ kind: 'kept' });
  } catch (error) {
    send({ kind: 'lost', reason: errorMessage(error) });
  }
}

async function close(): Promise<void> {
  await ledgers?.close().catch(() => undefined);
  parentPort?.close();
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function send(message: FromBookingThread): void {
  parentPort?.postMessage(message);
}
