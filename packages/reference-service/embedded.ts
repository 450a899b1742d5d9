import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '@candleproof/files/package-files';
import { cacheFolder } from '@candleproof/files/user-folders';
import { makeFolder } from '@candleproof/files/write-files';
import { createCertificate, loadOrCreateCertificate, type ServerCertificate } from './certificate.ts';
import { type RunningService, type ServiceOptions, startService } from './start.ts';
import { UnreadableDatabase } from './store/sqlite/database.ts';

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
    const service = await startOnCachedMarket({ dataDir, ephemeral: true, certificate, seed, faults });
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
  // A run makes a certificate if none can be stored.
  return loadOrCreateCertificate(join(cacheFolder(), 'loopback-certificate')).catch(createCertificate);
}

const database = 'service.db';

/** Age from which a cached market is built again, so that extending it to the present stays fast. */
const mostAgeMs = 3 * 86400000;

/**
 * Starts on a copy of the seed's market, which is built once for all folders of this user, as building takes more than a
 * second. A folder with a market keeps it. If the cached market is damaged, builds one in the folder.
 */
export async function startOnCachedMarket(
  options: ServiceOptions & { readonly dataDir: string },
): Promise<RunningService> {
  const { dataDir, seed = 1, ephemeral = false } = options;
  const store = join(dataDir, database);
  // The log of another file would be mistaken for the copy's.
  if (existsSync(store) || existsSync(`${store}-wal`)) return startService(options);
  const market = await findCachedMarket(seed);
  if (market === undefined || !copyAside(market, store, !ephemeral)) return startService(options);
  try {
    return await startService(options);
  } catch (error) {
    if (!(error instanceof UnreadableDatabase)) throw error;
    for (const file of [market, store, `${store}-wal`, `${store}-shm`]) rmSync(file, { force: true });
    return startService(options);
  }
}

/** Copies a file atomically, and never over a file of another process. */
function copyAside(market: string, place: string, isLasting: boolean): boolean {
  const aside = `${place}.${process.pid}`;
  try {
    copyFileSync(market, aside, constants.COPYFILE_FICLONE);
    if (isLasting) syncFile(aside);
    linkSync(aside, place);
    return true;
  } catch {
    // The service reports problems with its folder.
    return false;
  } finally {
    rmSync(aside, { force: true });
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the file of the cached market, or builds it and moves it into place. Undefined if none can be cached, such as
 * with a read-only or full home folder.
 */
async function findCachedMarket(seed: number): Promise<string | undefined> {
  const folder = join(cacheFolder(), 'markets');
  const file = join(folder, `${version}-seed-${seed}.db`);
  if (existsSync(file) && Date.now() - statSync(file).mtimeMs < mostAgeMs) return file;
  const dataDir = makeBuildFolder(folder);
  if (dataDir === undefined) return undefined;
  try {
    const service = await startService({ dataDir, seed });
    await service.close();
    renameSync(join(dataDir, database), file);
    return file;
  } catch {
    return undefined;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function makeBuildFolder(folder: string): string | undefined {
  try {
    makeFolder(folder);
    return mkdtempSync(join(folder, 'building-'));
  } catch {
    return undefined;
  }
}
