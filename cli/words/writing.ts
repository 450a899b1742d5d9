import { UnwritableFile } from '../../files/unwritable-file.ts';
import { UsageError } from '../usage-error.ts';

/** Does what writes the files that a flag names; throws a UsageError with the flag for those that cannot be written. */
export function writing<T>(flag: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw named(flag, error);
  }
}

/** An error of writing what a flag names, as the UsageError with the flag; any other as it is. */
export function named(flag: string, error: unknown): unknown {
  return error instanceof UnwritableFile ? new UsageError(`${flag}: ${error.message}`) : error;
}
