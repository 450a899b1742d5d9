import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passingFolder } from '../../files/testing/passing-folder.ts';
import { makeFolder } from '../../files/write-files.ts';
import { createClock } from '../instant.ts';
import { type RunningService, type ServiceOptions, startService } from '../start.ts';

/** The options that determine a simulated market, with its time. */
export type MarketOptions = Pick<ServiceOptions, 'seed' | 'historyDays' | 'profile' | 'now'>;

type BuiltMarket = { readonly file: string; readonly instant: number };

const database = 'service.db';
const built = new Map<string, BuiltMarket>();

/** Starts a service on a copy of its market if this process has already built one of the same day, which saves a second. */
export async function startBuilt(options: ServiceOptions = {}): Promise<RunningService> {
  const folder = options.dataDir ?? mkdtempSync(join(tmpdir(), 'candleproof-'));
  const removed = (): void => {
    if (options.dataDir === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await copyMarket(folder, options);
    const service = await startService({ ephemeral: true, ...options, dataDir: folder });
    const close = (graceMs?: number): Promise<void> => service.close(graceMs).finally(removed);
    return { ...service, close };
  } catch (error) {
    removed();
    throw error;
  }
}

/** Copies the market into a folder for a store to open. */
export async function copyMarket(folder: string, options: MarketOptions): Promise<void> {
  const instant = createClock(options.now)();
  const day = Math.floor(instant / 86_400_000);
  const name = JSON.stringify([options.seed, options.historyDays, options.profile, day]);
  const known = built.get(name);
  // A market of a later hour has data from this one's future.
  const market = known && known.instant <= instant ? known : await buildMarket(options, instant);
  built.set(name, market);
  makeFolder(folder, 0o700);
  copyFileSync(market.file, join(folder, database));
}

async function buildMarket({ seed, historyDays, profile }: MarketOptions, now: number): Promise<BuiltMarket> {
  const folder = passingFolder();
  const service = await startService({
    dataDir: folder,
    ephemeral: true,
    now: () => now,
    seed,
    historyDays,
    profile,
  });
  await service.close();
  return { file: join(folder, database), instant: now };
}
