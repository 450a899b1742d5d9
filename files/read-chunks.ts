import { open } from 'node:fs/promises';
import { explainUnreadable } from './read-file.ts';

/** Bytes that are read at once: enough that reading costs next to nothing, few enough to hold one of each file. */
const chunkBytes = 1 << 17;

/**
 * Reads a named file piece by piece; every piece is a view of one buffer that the next overwrites.
 * @throws UsageError with the flag for a file that cannot be read
 */
export async function* readChunks(file: string, flag: string): AsyncGenerator<Uint8Array> {
  // One buffer for the whole file: new ones would pile up until they are collected.
  const buffer = new Uint8Array(chunkBytes);
  const opening = open(file);
  try {
    const opened = await opening;
    for (let read = await opened.read(buffer); read.bytesRead > 0; read = await opened.read(buffer)) {
      yield buffer.subarray(0, read.bytesRead);
    }
  } catch (error) {
    throw explainUnreadable(file, flag, error);
  } finally {
    await opening.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }
}
