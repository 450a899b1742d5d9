import { parentPort, workerData } from 'node:worker_threads';
import { type Ledgers, openLedgers } from '../../http/ledger/ledgers.ts';
import { PostgresAddress } from '../../postgres/address.ts';
import type { FromKeeper, KeeperPlan, KeptPart, ToKeeper } from './keeper.ts';
import { TrafficStore } from './traffic-store.ts';

const { results, ledger }: KeeperPlan = workerData;
let store: TrafficStore | undefined;
let ledgers: Ledgers | undefined;
let work: Promise<unknown> = open();

parentPort?.on('message', (message: ToKeeper) => {
  work = work.then(() => (message.kind === 'close' ? close() : answer(message)));
});

async function open(): Promise<void> {
  const isOpen =
    (await tryOpening('results', async () => {
      if (results) store = await TrafficStore.open(results.folder, results.passing);
    })) &&
    (await tryOpening('ledger', async () => {
      const place = ledger && ('file' in ledger ? ledger.file : new PostgresAddress(ledger.url));
      if (place) ledgers = await openLedgers(place, { readQuota: () => undefined });
    }));
  if (isOpen) send({ kind: 'opened' });
}

async function tryOpening(part: KeptPart, opening: () => Promise<void>): Promise<boolean> {
  try {
    await opening();
    return true;
  } catch (error) {
    send({ kind: 'refused', part, reason: errorMessage(error) });
    return false;
  }
}

async function answer(message: Exclude<ToKeeper, { kind: 'close' }>): Promise<void> {
  const part = message.kind === 'quota' ? 'ledger' : 'results';
  try {
    await keep(message);
    send({ kind: 'kept', part });
  } catch (error) {
    send({ kind: 'lost', part, reason: errorMessage(error) });
  }
}

async function keep(message: Exclude<ToKeeper, { kind: 'close' }>): Promise<void> {
  if (message.kind === 'origin') await store?.begin(message.origin);
  else if (message.kind === 'minute') await store?.keep(message.minute, Date.now());
  else await ledgers?.account(message.quota.account).noteAnswer(message.quota);
}

async function close(): Promise<void> {
  for (const resource of [store, ledgers]) await resource?.close().catch(() => undefined);
  parentPort?.close();
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function send(message: FromKeeper): void {
  parentPort?.postMessage(message);
}
