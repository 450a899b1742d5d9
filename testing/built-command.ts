import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../packaging/bundle.ts';
import { cache } from '../packaging/installed.ts';

export type BuiltCommand = { readonly command: string; remove(): void };

/** Builds the command as its users get it, below the packages that it loads. */
export async function buildCommand(): Promise<BuiltCommand> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'command-'));
  for (const path of ['package.json', 'openapi.yaml', 'gallery', 'cli/candleproof.js', 'cli/runtime.js'])
    cpSync(path, join(folder, path), { recursive: true });
  await bundle(join(folder, 'dist'));
  return {
    command: join(folder, 'cli', 'candleproof.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Builds the command that the tests of this run start, which is what is published; it goes with this process. */
export async function provideCommand(): Promise<void> {
  const { command, remove } = await buildCommand();
  process.env.CANDLEPROOF_COMMAND = command;
  process.once('exit', remove);
}
