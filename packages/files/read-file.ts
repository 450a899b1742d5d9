import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { UsageError } from './usage-error.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder and cannot be read',
  ENOTDIR: 'there is no such file',
  ENAMETOOLONG: 'there is no such file',
  ENXIO: 'it is a socket or a device and cannot be read',
};

class TooLarge extends Error {}

/**
 * Reads the text of a file or pipe that the flag `flag` names, at most `most` bytes of it.
 * @throws UsageError with the flag and the remedy
 */
export function readNamedFile(file: string, flag: string, most: number): string {
  return readNamedBytes(file, flag, most).toString('utf8');
}

/** Reads the bytes of a named file; throws as `readNamedFile` does. */
export function readNamedBytes(file: string, flag: string, most: number): Buffer {
  try {
    return readAtMost(file, most);
  } catch (error) {
    if (error instanceof TooLarge) throw tooLargeError(file, flag, most);
    throw explainUnreadable(file, flag, error);
  }
}

/** Returns the UsageError for a file of more than `most` bytes that a flag names. */
export function tooLargeError(file: string, flag: string, most: number): UsageError {
  return new UsageError(`${flag}: ${file}: it holds more than ${most} bytes; give a smaller one`);
}

/** Returns the UsageError for an unreadable file that a flag names. */
export function explainUnreadable(file: string, flag: string, error: unknown): UsageError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = reasons[code] ?? (code || message);
  return new UsageError(
    mayBeKey(basename(file))
      ? `${flag}: ${notRepeated}: ${reason}; a key goes into a file, and the file's name is given`
      : `${flag}: ${file}: ${reason}; give a file that can be read`,
  );
}

function readAtMost(file: string, most: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    let total = 0;
    for (let bytes = firstChunk(fstatSync(descriptor).size, most); ; bytes = usualChunk) {
      const chunk = Buffer.allocUnsafe(bytes);
      const count = readSync(descriptor, chunk);
      if (count === 0) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      total += count;
      if (total > most) throw new TooLarge();
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
}

const usualChunk = 1 << 16;

/**
 * Returns a size that reads a file in one piece, with a byte more to detect its end; a pipe does not report its size.
 */
function firstChunk(size: number, most: number): number {
  return size > 0 && size <= most ? size + 1 : usualChunk;
}

/** Text in messages in place of one that may be a key. */
export const notRepeated = '(not repeated, for it may be a key)';

/** Returns whether a text may be an API key: 32 characters (§5), fewer if it was cut, or another API's key. */
export function mayBeKey(text: string): boolean {
  return /^[A-Za-z0-9_+=-]{24,}$/.test(text);
}
