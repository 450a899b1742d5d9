import type { ResultsStore } from '../../results/results-store.ts';
import { StoreFull } from '../../results/store-error.ts';
import type { Clock } from '../probes/clock.ts';

/** Between two tries on a full disk, in ms; the last for all that follow. */
const pauses = [1000, 2000, 5000, 10_000, 30_000];

export type Patience = {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends the waiting: writes that still fail are rejected with the store's error. */
  readonly signal: AbortSignal;
  /** Called once when the disk is full, and once when it has room again. */
  readonly onFull: (error: StoreFull) => void;
  readonly onRoom: () => void;
};

/**
 * Returns a store whose writes wait while the disk is full, so that a monitor continues without loss. Expired records
 * are deleted at the next upkeep.
 */
export function retryingStore(store: ResultsStore, patience: Patience): ResultsStore {
  const { clock, signal, onFull, onRoom } = patience;
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
      for (let tries = 0; ; tries++) {
        try {
          await store.record(batch);
          return reportRoom();
        } catch (error) {
          rejectIfFull(error);
        }
        await clock.sleep(pauses[Math.min(tries, pauses.length - 1)] ?? 0, signal).catch(() => undefined);
      }
    },
    tidy: (now) => store.tidy(now).then(reportRoom, rejectIfFull),
  };
}
