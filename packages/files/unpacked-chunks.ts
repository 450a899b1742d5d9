import type { FileHandle } from 'node:fs/promises';
import { explainUnreadable } from './read-file.ts';

type Chunks = AsyncIterable<Uint8Array>;

/**
 * Unpacks gzip, and a zip of one file, as a stream; other bytes pass unchanged. `place` begins its messages.
 * @throws UsageError for an archive that is damaged, truncated or holds several files
 */
export async function* unpackChunks(chunks: Chunks, place: string): AsyncGenerator<Uint8Array> {
  const packed = chunks[Symbol.asyncIterator]();
  try {
    const first = await packed.next();
    const head = first.done ? new Uint8Array(0) : first.value;
    const all = continueWith(first, packed);
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    if (!isGzip && !(head[0] === 0x50 && head[1] === 0x4b)) yield* all;
    else {
      const { gunzip, unzip } = await import('./archives.ts');
      yield* isGzip ? gunzip(all, place) : unzip(all, place);
    }
  } finally {
    await packed.return?.();
  }
}

async function* continueWith(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value;
}

/** Bytes per read: enough that reading costs almost nothing, few enough to hold one buffer for each file. */
const chunkBytes = 1 << 17;

/**
 * Reads an open file piece by piece; every piece is a view of one buffer that the next overwrites. `file` and `flag`
 * begin its messages.
 * @throws UsageError for a file that cannot be read
 */
export async function* readChunks(
  opened: FileHandle,
  file: string,
  flag: string,
): AsyncGenerator<Uint8Array> {
  // One buffer for the whole file: new ones would pile up until garbage collection.
  const buffer = new Uint8Array(chunkBytes);
  try {
    for (let read = await opened.read(buffer); read.bytesRead > 0; read = await opened.read(buffer)) {
      yield buffer.subarray(0, read.bytesRead);
    }
  } catch (error) {
    throw explainUnreadable(file, flag, error);
  }
}
