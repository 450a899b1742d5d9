import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServingOptions, type ServingService, serve } from './serving.ts';
import { atOnce } from './soon.ts';
import type { KeyAllowance } from './store/accounts.ts';
import { openStore } from './store/sqlite/sqlite-store.ts';

export type ServiceOptions = ServingOptions & {
  /** Folder of the store, the certificate and the key; made when missing. Left out, all is gone when it closes. */
  readonly dataDir?: string;
  /** The folder is removed after its only use: nothing in it is made safe against a power cut. */
  readonly passing?: true;
};

export type RunningService = ServingService & {
  /** Puts exactly these faults in force, from the next request on. Throws UnknownFault. */
  switchFaults(ids: readonly string[]): void;
  /** Begins the simulated network anew: the same pools under the same ids, without any history. */
  resetNetwork(): void;
  /** Issues a further key; its text is returned only here. */
  issueKey(allowance: KeyAllowance): string;
};

/**
 * Starts the reference service on its store in `dataDir`, which holds the data that was brought in, or is
 * filled with the simulated market up to now.
 * Throws UnknownFault, UnusableChoice, UnreadableInstant, SeedMismatch, MarketMismatch, UnreadableStore, or what
 * listening on a port throws.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const { dataDir = mkdtempSync(join(tmpdir(), 'candleproof-')), logger } = options;
  const { passing = options.dataDir === undefined } = options;
  const store = openStore(dataDir, (err) => logger?.error({ err }, 'counts are not written yet'), passing);
  const end = (): void => {
    store.close();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const { service, serving, control } = await serve(store, dataDir, options, end);
    return {
      ...serving,
      switchFaults: (ids) => atOnce(control.switchFaults(ids)),
      resetNetwork: () => atOnce(control.resetNetwork()),
      issueKey: (allowance) => store.keys.issue(allowance, { now: service.clock() }),
    };
  } catch (error) {
    end();
    throw error;
  }
}
