import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Distortion } from '@candleproof/reference-service/api/distortion';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';

/** Start of the service in Unix milliseconds. */
export const noon = Date.parse('2026-03-11T15:32:20Z');

/** Seed of the market. */
const seed = 3;

export type Distorted = RunningService & { distortions: readonly Distortion[] };

/** Calls `use` with a service that has any distortions, also ones that are not faults of the registry. */
export async function withDistortedService(
  use: (service: Distorted) => Promise<void>,
  begin = noon,
  days = 30,
): Promise<void> {
  const troubles: Distortion[] = [];
  const quota = { limit: 1_000_000 };
  const service = await startBuilt({ seed, historyDays: days, now: begin, quota, troubles });
  try {
    await use({
      ...service,
      get distortions() {
        return troubles;
      },
      set distortions(wanted: readonly Distortion[]) {
        troubles.splice(0, troubles.length, ...wanted);
      },
    });
  } finally {
    await service.close();
  }
}

/** Calls `use` with a temporary folder, and removes it afterwards. */
export async function withTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
