import { accessSync, constants } from 'node:fs';
import { basename, dirname } from 'node:path';
import { UnwritableFile, UsageError, unwritable } from './usage-error.ts';
import { makeFolder, writeFiles } from './write-files.ts';

/** Runs work that writes the files that a flag names; throws a UsageError with the flag for one that cannot be written. */
export function writeNamed<T>(flag: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw nameFlag(flag, error);
  }
}

/** Writes files into the folder that a flag names, as writeFiles does; throws a UsageError with the flag. */
export function writeNamedFiles(flag: string, ...given: Parameters<typeof writeFiles>): void {
  writeNamed(flag, () => writeFiles(...given));
}

/** Writes the file that a flag names; throws a UsageError with the flag. */
export function writeNamedFile(flag: string, file: string, text: string, mode?: number): void {
  writeNamedFiles(flag, dirname(file), { [basename(file)]: text }, mode);
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
