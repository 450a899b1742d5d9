import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResultsStore } from '../results-store.ts';
import type { Retention } from '../retention.ts';
import { openResults } from '../sqlite/open.ts';

/** A kind of store: whatever is said of the interface holds for each. */
export type StoreKind = {
  readonly name: string;
  /** Opens an empty one, and closes and removes it after its use. */
  readonly with: (
    use: (store: ResultsStore) => Promise<void>,
    retention?: Partial<Retention>,
  ) => Promise<void>;
};

export const kinds: readonly StoreKind[] = [
  {
    name: 'SQLite',
    with: (use, retention) =>
      inFolder(async (folder) => {
        const store = await openResults(folder, retention);
        await use(store).finally(() => store.close());
      }),
  },
];

/** A folder that goes away with its use. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'results-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
