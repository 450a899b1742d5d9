import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServingOptions, type ServingService, serve } from './serving.ts';
import { requireNow } from './soon.ts';
import type { KeyAllowance } from './store/accounts.ts';
import { openStore } from './store/sqlite/sqlite-store.ts';

export type ServiceOptions = ServingOptions & {
  /** Folder of the store, certificate and key; created if missing. Without one, everything is deleted on close. */
  readonly dataDir?: string;
  /** The folder is used only once, so nothing in it needs to survive a power failure. */
  readonly ephemeral?: true;
};

export type RunningService = ServingService & {
  /** Turns on exactly these faults from the next request on. Throws UnknownFault. */
  switchFaults(ids: readonly string[]): void;
  /** Restarts the simulated network: the same pools and ids, without history. Throws NotSimulated. */
  resetNetwork(): void;
  /** Issues another key and returns the only copy of its text. */
  issueKey(allowance: KeyAllowance): string;
};

/**
 * Starts the reference service on the store in `dataDir`, which has ingested data or is filled with the simulated market
 * up to now.
 * Throws UnknownFault, UnusableChoice, UnreadableInstant, SeedMismatch, MarketMismatch, UnreadableStore, or what
 * listening on a port throws.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const { dataDir = mkdtempSync(join(tmpdir(), 'candleproof-')), logger } = options;
  const { ephemeral = options.dataDir === undefined } = options;
  const store = openStore(dataDir, (err) => logger?.error({ err }, 'counts are not written yet'), ephemeral);
  const end = (): void => {
    store.close();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const { service, serving, control } = await serve(store, dataDir, options, end);
    return {
      ...serving,
      switchFaults: (ids) => requireNow(control.switchFaults(ids)),
      resetNetwork: () => requireNow(control.resetNetwork()),
      issueKey: (allowance) => store.keys.issue(allowance, { now: service.clock() }),
    };
  } catch (error) {
    end();
    throw error;
  }
}
