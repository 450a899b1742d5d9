import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../packaging/bundle.ts';

/** Where the tests of a run find the command; below node_modules, whose packages it loads. */
const cache = join('node_modules', '.cache', 'candleproof');

/** Builds the command as its users get it, once for all tests: what they start is what is published. */
export default async function buildCommand(): Promise<(() => void) | undefined> {
  if (process.env.CANDLEPROOF_COMMAND) return undefined;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(process.cwd(), cache, 'command-'));
  for (const file of ['package.json', 'openapi.yaml', 'cli/candleproof.js', 'cli/runtime.js']) {
    cpSync(file, join(folder, file));
  }
  await bundle(join(folder, 'dist'));
  process.env.CANDLEPROOF_COMMAND = join(folder, 'cli', 'candleproof.js');
  return () => rmSync(folder, { recursive: true, force: true });
}
