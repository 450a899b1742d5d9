import { readFileSync, statSync } from 'node:fs';
import { UsageError } from './usage-error.ts';

/** The text of a file that the caller named; `flag` tells where, `most` bounds its bytes. */
export function readNamedFile(file: string, flag: string, most: number): string {
  try {
    const { size } = statSync(file);
    if (size > most)
      throw new UsageError(`${flag}: ${file} is larger than ${most} bytes: give the right file`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'EACCES'
          ? 'it may not be read'
          : `it cannot be read (${code})`;
    throw new UsageError(`${flag}: ${file}: ${why}; give a file that can be read`);
  }
}
