import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { makeFolder } from '@candleproof/files/write-files';
import { createCertificate, type ServerCertificate } from '../certificate.ts';
import { createClock } from '../instant.ts';
import { type RunningService, type ServiceOptions, startService } from '../start.ts';

/** The options that determine a simulated market, with its time. */
export type MarketOptions = Pick<ServiceOptions, 'seed' | 'historyDays' | 'profile' | 'now'>;

const database = 'service.db';

let certificate: Promise<ServerCertificate> | undefined;
let separate: string | undefined;

/** The workers of one run share a folder; any other process has a separate one. */
function folderOfRun(): string {
  separate ??= process.env.CANDLEPROOF_MARKETS ?? passingFolder();
  return separate;
}

/** Starts a service on a copy of its market if a worker has already built one of the same day, which saves a second. */
export async function startBuilt(options: ServiceOptions = {}): Promise<RunningService> {
  const folder = options.dataDir ?? mkdtempSync(join(tmpdir(), 'candleproof-'));
  const removed = (): void => {
    if (options.dataDir === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await copyMarket(folder, options);
    certificate ??= createCertificate();
    const service = await startService({
      ephemeral: true,
      certificate: await certificate,
      ...options,
      dataDir: folder,
    });
    const close = (graceMs?: number): Promise<void> => service.close(graceMs).finally(removed);
    return { ...service, close };
  } catch (error) {
    removed();
    throw error;
  }
}

/** Copies the market into a folder for a store to open. */
async function copyMarket(folder: string, options: MarketOptions): Promise<void> {
  const instant = createClock(options.now)();
  const day = Math.floor(instant / 86_400_000);
  const name = [options.seed, options.historyDays, options.profile, day].join(' ');
  const file = findBuilt(name, instant) ?? (await buildMarket(name, options, instant));
  makeFolder(folder, 0o700);
  copyFileSync(file, join(folder, database));
}

/** Returns a market of the same day. One of a later hour has data from this one's future. */
function findBuilt(name: string, instant: number): string | undefined {
  const built = readdirSync(folderOfRun()).find((file) => {
    const [known, at] = file.split(' at ');
    return known === name && Number(at) <= instant;
  });
  return built && join(folderOfRun(), built);
}

async function buildMarket(
  name: string,
  { seed, historyDays, profile }: MarketOptions,
  now: number,
): Promise<string> {
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
  // At once, since another worker may be looking for it.
  const file = join(folderOfRun(), `${name} at ${now}`);
  renameSync(join(folder, database), file);
  return file;
}
