import { LedgerUnavailable } from '@candleproof/client/ledger/ledger-store';
import { classifyDatabaseError } from '@candleproof/files/database-file';
import type { Clock } from '../probes/clock.ts';
import type { ResultsStore } from '../results/results-store.ts';
import { StoreFull } from '../results/store-error.ts';

/** Between two tries on a full disk, in ms; the last for all that follow. */
const pauses = [1000, 2000, 5000, 10_000, 30_000];

export type Patience = {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends the waiting: writes that still fail are rejected with the store's error. */
  readonly signal: AbortSignal;
  /** Called once when the disk is full, and once when it has room again. */
  readonly onFull: (error: Error) => void;
  readonly onRoom: () => void;
};

/**
 * Returns a store whose writes wait while the disk is full, so that a monitor continues without loss. Expired records
 * are deleted at the next upkeep.
 */
export function retryingStore(store: ResultsStore, patience: Patience): ResultsStore {
  const { signal, onFull, onRoom } = patience;
  let isFull = false;
  const reportRoom = (): void => {
    if (isFull) onRoom();
    isFull = false;
  };
  const rejectIfFull = (error: unknown): void => {
    if (!(error instanceof StoreFull) || signal.aborted) throw error;
    if (!isFull) onFull(error);
    isFull = true;
  };
  return {
    ...store,
    async record(batch) {
      await retryWhileFull(() => store.record(batch), rejectIfFull, patience);
      reportRoom();
    },
    tidy: (now) => store.tidy(now).then(reportRoom, rejectIfFull),
  };
}

/** Opens what needs room on the disk, and waits for that while there is none. Rejects once the signal ends the waiting. */
export async function openWithRoom<T>(open: () => Promise<T>, patience: Patience): Promise<T> {
  let isFull = false;
  const opened = await retryWhileFull(
    open,
    (error) => {
      if (!isForRoom(error) || patience.signal.aborted) throw error;
      if (!isFull) patience.onFull(error);
      isFull = true;
    },
    patience,
  );
  if (isFull) patience.onRoom();
  return opened;
}

/** The store's disk, or the ledger's. */
function isForRoom(error: unknown): error is Error {
  if (error instanceof LedgerUnavailable) return classifyDatabaseError(error.cause) === 'full';
  return error instanceof StoreFull;
}

/** @param rejectIfNotFull throws any error that is no reason to wait */
async function retryWhileFull<T>(
  work: () => Promise<T>,
  rejectIfNotFull: (error: unknown) => void,
  { clock, signal }: Pick<Patience, 'clock' | 'signal'>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      rejectIfNotFull(error);
    }
    await clock.sleep(pauses[Math.min(tries, pauses.length - 1)] ?? 0, signal).catch(() => undefined);
  }
}
