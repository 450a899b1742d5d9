import { createReadStream } from 'node:fs';
import type { GateSource } from '../../gate/file-reading.ts';
import { unreadable } from '../files/read-file.ts';

/** Bytes that are read at once: enough that reading costs next to nothing, few enough to hold one of each file. */
const chunkBytes = 1 << 17;

/** Files, or standard input for `-`, as the gate reads them. */
export function sourcesOf(files: readonly string[]): GateSource[] {
  return files.map((file) => ({ file: file === '-' ? 'standard input' : file, chunks: chunksOf(file) }));
}

async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
  if (file === '-') {
    yield* process.stdin as AsyncIterable<Uint8Array>;
    return;
  }
  try {
    yield* createReadStream(file, { highWaterMark: chunkBytes }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(file, 'gate', error);
  }
}
