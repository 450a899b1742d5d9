import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { specFile } from '../../files/package-files.ts';
import { cacheFolder } from '../../files/user-folders.ts';
import {
  createCertificate,
  loadOrCreateCertificate,
  type ServerCertificate,
} from '../../service/certificate.ts';
import { startOnKeptMarket } from './kept-market.ts';
import type { RemoteTarget } from './target-flags.ts';

type LocalService = { readonly target: RemoteTarget; close(): Promise<void> };

/**
 * The embedded service on a copy of its own: runs beside each other never share a quota, and the market is built
 * once for each seed.
 */
export async function openLocal(options: {
  seed?: number | undefined;
  faults: readonly string[];
  /** The caller hears signals itself, and closes. */
  drains?: true;
}): Promise<LocalService> {
  const { seed = 1, faults, drains } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'candleproof-'));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  const restore = drains ? removeAtExit(remove) : removeOnSignal(remove);
  try {
    const certificate = await certificateOfUser();
    const options = { dataDir, ephemeral: true, certificate, seed, faults } as const;
    const service = await startOnKeptMarket(options);
    const { url, apiKey, caPem, poolsV1, poolsV2 } = service;
    return {
      target: {
        kind: 'remote',
        facts: {
          name: 'local',
          baseUrl: url,
          pools: { v1: poolsV1, v2: poolsV2 },
          keyless: false,
          soleUser: true,
        },
        specFile,
        apiKey,
        ca: caPem,
        isLoopback: true,
        words: 'local',
      },
      close: async () => {
        await service.close().finally(remove);
        restore();
      },
    };
  } catch (error) {
    remove();
    restore();
    throw error;
  }
}

/** The caller may have no time left to close. */
function removeAtExit(remove: () => void): () => void {
  process.once('exit', remove);
  return () => process.off('exit', remove);
}

/** Anyone who breaks a check off finds nothing of it left behind; returns what undoes this. */
function removeOnSignal(remove: () => void): () => void {
  const leave = (): never => {
    remove();
    process.exit(130);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, leave);
  return () => {
    for (const signal of signals) process.off(signal, leave);
  };
}

/** One for all runs of this user on loopback: making it takes as long as a tenth of a run. */
export function certificateOfUser(): Promise<ServerCertificate> {
  // Where none can be kept, each run makes its own.
  return loadOrCreateCertificate(join(cacheFolder(), 'loopback-certificate')).catch(createCertificate);
}
