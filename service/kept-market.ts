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
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { version } from '../files/package-files.ts';
import { cacheFolder } from '../files/user-folders.ts';
import { type RunningService, type ServiceOptions, startService } from './start.ts';
import { UnreadableDatabase } from './store/sqlite/database.ts';

const database = 'service.db';

/** A kept market older than this is built anew, so that bringing it up to now stays short. */
const mostAgeMs = 3 * 86_400_000;

/**
 * Starts on a copy of the market of that seed, which is built once for all folders of this user: to build it takes more
 * than a second. A folder that holds a market keeps it; where the kept one is damaged, the folder has its own built.
 */
export async function startOnKeptMarket(
  options: ServiceOptions & { readonly dataDir: string },
): Promise<RunningService> {
  const { dataDir, seed = 1, ephemeral = false } = options;
  const own = join(dataDir, database);
  // What is left of another file's log would be taken for the copy's.
  if (existsSync(own) || existsSync(`${own}-wal`)) return startService(options);
  const market = await keptMarket(seed);
  if (market === undefined || !copied(market, own, !ephemeral)) return startService(options);
  try {
    return await startService(options);
  } catch (error) {
    if (!(error instanceof UnreadableDatabase)) throw error;
    for (const file of [market, own, `${own}-wal`, `${own}-shm`]) rmSync(file, { force: true });
    return startService(options);
  }
}

/** Copied whole or not at all, and never over what another process has put there meanwhile. */
function copied(market: string, place: string, isLasting: boolean): boolean {
  const aside = `${place}.${process.pid}`;
  try {
    copyFileSync(market, aside, constants.COPYFILE_FICLONE);
    if (isLasting) keepOnDisk(aside);
    linkSync(aside, place);
    return true;
  } catch {
    // The service itself reports what is wrong with its folder.
    return false;
  } finally {
    rmSync(aside, { force: true });
  }
}

function keepOnDisk(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The file of a market that was built before; built now, aside, and put in its place whole where there is none.
 * Undefined where none can be kept, as with a HOME that is not writable or full: then each folder has its own built.
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
    return file;
  } catch {
    return undefined;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function placeIn(folder: string): string | undefined {
  try {
    makeFolder(folder);
    return mkdtempSync(join(folder, 'building-'));
  } catch {
    return undefined;
  }
}
