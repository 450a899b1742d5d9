import { lstatSync } from 'node:fs';
import { UsageError } from '@candleproof/files/usage-error';
import { backUp } from '@candleproof/monitors/results/transfer/transfer';
import type { Command } from 'commander';
import { forceFlag } from '../running/file-option.ts';
import { defaultDataDir } from '../running/options.ts';
import { printText } from '../words/output.ts';

/** Adds `monitor backup`, which copies a data folder's store while its monitor runs. */
export function addBackup(monitor: Command): void {
  monitor
    .command('backup <file>')
    .description('copy what the monitor keeps into one file, whole; it may write meanwhile')
    .option(...forceFlag)
    .action((file: string, _: object, command: Command) => {
      const flags: { readonly data?: string; readonly force?: boolean } = command.optsWithGlobals();
      const { data = defaultDataDir, force = false } = flags;
      refuseExisting(file, force);
      backUp(data, file);
      printText(
        `backup: ${file}; to restore it, stop the monitor and copy it to results.db of an empty folder\n`,
      );
    });
}

function refuseExisting(file: string, force: boolean): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isFile()) throw new UsageError(`monitor backup: ${file} is no regular file: name another one`);
  if (!force)
    throw new UsageError(`monitor backup: ${file} is there already: name another file, or give --force`);
}
