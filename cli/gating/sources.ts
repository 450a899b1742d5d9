import { open } from 'node:fs/promises';
import { explainUnreadable } from '../../files/read-file.ts';
import type { GateSource } from '../../gate/file-reading.ts';

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
  // One buffer for the whole file: new ones would pile up until the collector looks at them.
  const buffer = new Uint8Array(chunkBytes);
  const opening = open(file);
  try {
    const opened = await opening;
    for (let read = await opened.read(buffer); read.bytesRead > 0; read = await opened.read(buffer)) {
      yield buffer.subarray(0, read.bytesRead);
    }
  } catch (error) {
    throw explainUnreadable(file, 'gate', error);
  } finally {
    await opening.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }
}
