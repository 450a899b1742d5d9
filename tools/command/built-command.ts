import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assembleCommand } from '@candleproof/packaging/assemble';
import { cache } from '@candleproof/packaging/installed';

export type BuiltCommand = { readonly command: string; remove(): void };

/** Builds the command as its users get it, below the packages that it loads. */
export async function buildCommand(): Promise<BuiltCommand> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'command-'));
  return {
    command: await assembleCommand(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Builds the command that the tests of this run start, which is what is published; it goes with this process. */
export async function provideCommand(): Promise<void> {
  const { command, remove } = await buildCommand();
  process.env.CANDLEPROOF_COMMAND = command;
  process.once('exit', remove);
}
