import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { explainUnreadable, readNamedBytes, tooLargeError } from '@candleproof/files/read-file';

/** Bytes that are read from any place; fewer come from behind their end. */
export type HarBytes = {
  readonly size: number;
  read(from: number, to: number): Buffer;
  close(): void;
};

/** Bytes of a file that are held at once. */
const chunkBytes = 1 << 20;

/**
 * Opens a file that the flag `flag` names, of at most `most` bytes. A pipe, which can be read once only, is held.
 * @throws UsageError with the flag and the remedy
 */
export function openHarBytes(file: string, flag: string, most: number): HarBytes {
  const found = statSync(file, { throwIfNoEntry: false });
  // Files of the kernel have no size.
  if (!found?.isFile() || found.size === 0) return holdBytes(readNamedBytes(file, flag, most));
  if (found.size > most) throw tooLargeError(file, flag, most);
  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw explainUnreadable(file, flag, error);
    }
  };
  const descriptor = reading(() => openSync(file, 'r'));
  return {
    size: found.size,
    read: (from, to) => {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(to, found.size) - from));
      if (bytes.length === 0) return bytes;
      const count = reading(() => readSync(descriptor, bytes, 0, bytes.length, from));
      return bytes.subarray(0, count);
    },
    close: () => closeSync(descriptor),
  };
}

/** Returns bytes in memory as if they were a file. */
export function holdBytes(bytes: Uint8Array): HarBytes {
  const { buffer, byteOffset, byteLength } = bytes;
  const held = Buffer.from(buffer, byteOffset, byteLength);
  return { size: byteLength, read: (from, to) => held.subarray(from, to), close: () => undefined };
}

/** Yields bytes from one place to another, piece by piece. */
export function* readChunks(bytes: HarBytes, from = 0, to = bytes.size): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const chunk = bytes.read(at, Math.min(to, at + chunkBytes));
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}
