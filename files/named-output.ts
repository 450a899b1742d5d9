import { accessSync, constants } from 'node:fs';
import { makeFolder } from './make-folder.ts';
import { UnwritableFile, unwritable } from './unwritable-file.ts';
import { UsageError } from './usage-error.ts';

/** Runs work that writes the files that a flag names; throws a UsageError with the flag for one that cannot be written. */
export function writeNamed<T>(flag: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw nameFlag(flag, error);
  }
}

/** Turns an UnwritableFile into a UsageError with the flag; returns any other error as it is. */
export function nameFlag(flag: string, error: unknown): unknown {
  return error instanceof UnwritableFile ? new UsageError(`${flag}: ${error.message}`) : error;
}

/** Makes the folder that a flag names before anything is requested: a run whose result cannot be kept does not begin. */
export function makeOutputFolder(out: string, flag = '--out'): void {
  writeNamed(flag, () => {
    try {
      makeFolder(out);
      accessSync(out, constants.W_OK);
    } catch (error) {
      throw unwritable(out, error);
    }
  });
}
