import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '@candleproof/files/usage-error';

const load = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns the file of the script that k6 runs. The package holds it built; in a clone it is built into `folder`, since
 * k6 finds no packages.
 * @throws UsageError in a clone without its packages for development
 */
export async function findK6Script(folder: string): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return join(load, 'script.js');
  const { rolldown } = await import('rolldown').catch(() => {
    throw new UsageError(
      'load --engine k6: a clone builds the script for k6, and its bundler is missing: run "npm ci"',
    );
  });
  const file = join(folder, 'script.js');
  const built = await rolldown({
    input: join(load, 'script.ts'),
    external: [/^k6(\/|$)/],
  });
  await built.write({ file });
  await built.close();
  return file;
}
