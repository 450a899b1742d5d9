import { constants, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { freshCertificate, keptCertificate, type ServerCertificate } from '../../service/certificate.ts';
import { type RunningService, type ServiceOptions, startService } from '../../service/start.ts';
import { cacheFolder } from '../files/cache-folder.ts';
import { specFile, version } from '../version.ts';
import type { RemoteTarget } from './target-flags.ts';

const database = 'service.db';

/** A kept market older than this is built anew, so that bringing it up to now stays short. */
const mostAgeMs = 3 * 86_400_000;

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
    const options = { dataDir, passing: true, certificate, seed, faults } as const;
    const service = await startOnCopy(await keptMarket(seed), options);
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

/** A kept market of another version, or a damaged one, is built anew. */
async function startOnCopy(
  market: string | undefined,
  options: ServiceOptions & { dataDir: string; seed: number },
): Promise<RunningService> {
  if (market === undefined) return startService(options);
  const copy = join(options.dataDir, database);
  try {
    copyFileSync(market, copy, constants.COPYFILE_FICLONE);
    return await startService(options);
  } catch {
    for (const file of [market, copy, `${copy}-wal`, `${copy}-shm`]) rmSync(file, { force: true });
    const anew = await keptMarket(options.seed);
    if (anew !== undefined) copyFileSync(anew, copy, constants.COPYFILE_FICLONE);
    return startService(options);
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

/**
 * The file of a market that was built before; built now, aside, and put in its place whole where there is none.
 * Undefined where none can be kept, as with a HOME that is not writable: then each run builds its own.
 */
async function keptMarket(seed: number): Promise<string | undefined> {
  const folder = join(cacheFolder(), 'markets');
  const file = join(folder, `${version}-seed-${seed}.db`);
  if (existsSync(file) && Date.now() - statSync(file).mtimeMs < mostAgeMs) return file;
  const dataDir = placeIn(folder);
  if (dataDir === undefined) return undefined;
  try {
    const service = await startService({ dataDir, seed });
    await service.close();
    renameSync(join(dataDir, database), file);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return file;
}

/** One for all runs of this user on loopback: making it takes as long as a tenth of a run. */
export function certificateOfUser(): Promise<ServerCertificate> {
  // Where none can be kept, each run makes its own.
  return keptCertificate(join(cacheFolder(), 'loopback-certificate')).catch(freshCertificate);
}

function placeIn(folder: string): string | undefined {
  try {
    makeFolder(folder);
    return mkdtempSync(join(folder, 'building-'));
  } catch {
    return undefined;
  }
}
