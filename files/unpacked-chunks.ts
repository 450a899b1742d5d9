import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { explainUnreadable } from './read-file.ts';
import { UsageError } from './usage-error.ts';

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
    if (head[0] === 0x1f && head[1] === 0x8b) yield* gunzip(all, place);
    else if (head[0] === 0x50 && head[1] === 0x4b) {
      const { unzip } = await import('./unzipped-chunks.ts');
      yield* unzip(all, place, (reason) => damagedError(place, 'zip', reason));
    } else yield* all;
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

async function* gunzip(chunks: Chunks, place: string): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip({ chunkSize: 1 << 17 });
  // The source overwrites a chunk while it waits to be unpacked.
  const copies = Readable.from(mapChunks(chunks));
  const done = pipeline(copies, unpacked).catch((error: NodeJS.ErrnoException) => error);
  try {
    yield* unpacked as Chunks;
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
    throw damagedError(place, 'gzip', (error as Error).message);
  } finally {
    unpacked.destroy();
    await done;
  }
}

async function* mapChunks(chunks: Chunks): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.slice();
}

function damagedError(place: string, kind: string, reason: string): UsageError {
  return new UsageError(`${place}: the ${kind} is damaged: ${reason}; fetch it again`);
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
