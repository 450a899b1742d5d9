import { constants, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { type RunningService, type ServiceOptions, startService } from '../../service/start.ts';
import { UnreadableDatabase } from '../../service/store/sqlite/database.ts';
import { cacheFolder } from '../files/cache-folder.ts';
import { version } from '../version.ts';

const database = 'service.db';

/** A kept market older than this is built anew, so that bringing it up to now stays short. */
const mostAgeMs = 3 * 86_400_000;

/**
 * Starts on a copy of the market of that seed, which is built once for all folders of this user: to build it takes most
 * of a second. A folder that holds a market keeps it; a kept one that is damaged is built anew.
 */
export async function startOnKeptMarket(
  options: ServiceOptions & { readonly dataDir: string },
): Promise<RunningService> {
  const { dataDir, seed = 1 } = options;
  const copy = join(dataDir, database);
  if (existsSync(copy)) return startService(options);
  const market = await keptMarket(seed);
  if (market === undefined) return startService(options);
  copyFileSync(market, copy, constants.COPYFILE_FICLONE);
  try {
    return await startService(options);
  } catch (error) {
    if (!(error instanceof UnreadableDatabase)) throw error;
    for (const file of [market, copy, `${copy}-wal`, `${copy}-shm`]) rmSync(file, { force: true });
    const anew = await keptMarket(seed);
    if (anew !== undefined) copyFileSync(anew, copy, constants.COPYFILE_FICLONE);
    return startService(options);
  }
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

function placeIn(folder: string): string | undefined {
  try {
    makeFolder(folder);
    return mkdtempSync(join(folder, 'building-'));
  } catch {
    return undefined;
  }
}
