import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../files/user-folders.ts';
import { createCertificate, loadOrCreateCertificate, type ServerCertificate } from './certificate.ts';
import { startOnKeptMarket } from './kept-market.ts';
import type { RunningService } from './start.ts';

/** A running service that its caller closes. */
export type EmbeddedService = Pick<RunningService, 'url' | 'apiKey' | 'caPem' | 'poolsV1' | 'poolsV2'> & {
  close(): Promise<void>;
};

/**
 * Starts the service on a temporary copy of the market, so that concurrent runs never share a quota. The market is built
 * once for each seed. Closing the service, or the end of the process, removes the copy.
 */
export async function startEmbedded(options: {
  readonly seed?: number | undefined;
  /** Faults to switch on, by name or number. */
  readonly faults?: readonly string[];
}): Promise<EmbeddedService> {
  const { seed = 1, faults = [] } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'candleproof-'));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', remove);
  const end = (): void => {
    remove();
    process.off('exit', remove);
  };
  try {
    const certificate = await userCertificate();
    const service = await startOnKeptMarket({ dataDir, ephemeral: true, certificate, seed, faults });
    const { url, apiKey, caPem, poolsV1, poolsV2 } = service;
    const close = (): Promise<void> => service.close().finally(end);
    return { url, apiKey, caPem, poolsV1, poolsV2, close };
  } catch (error) {
    end();
    throw error;
  }
}

/** Returns the loopback certificate that all runs of this user share, as making one takes a tenth of a run. */
export function userCertificate(): Promise<ServerCertificate> {
  // A run makes its own certificate if none can be stored.
  return loadOrCreateCertificate(join(cacheFolder(), 'loopback-certificate')).catch(createCertificate);
}
