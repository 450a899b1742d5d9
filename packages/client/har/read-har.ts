import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readNamedBytes } from '@candleproof/files/read-file';
import type { Attached } from './foreign-entry.ts';
import { type HarReading, LARGEST_HAR_BYTES, parseHar, type ReadRecording } from './har.ts';
import { type Archive, isArchive, openArchive } from './har-archive.ts';
import { openHarBytes, readChunks } from './har-bytes.ts';

/** Reads a recording that the user named: HAR 1.2 with its bodies inside or in files beside it, or a zip of all. */
export function readHar(file: string, flag: string, how: Omit<HarReading, 'attached'> = {}): ReadRecording {
  const bytes = openHarBytes(file, flag, LARGEST_HAR_BYTES);
  try {
    if (!isArchive(bytes))
      return parseHar(readChunks(bytes), file, { attached: boundAttached(readBeside(file, flag)), ...how });
    const archive = openArchive(bytes, file, LARGEST_HAR_BYTES);
    return parseHar(archive.recording, file, { attached: boundAttached(readPacked(archive)), ...how });
  } finally {
    bytes.close();
  }
}

/** A file that can be read, and its size. */
type Found = { readonly size: number; read(): Buffer };

/** Finds plain files in the recording's folder. */
function readBeside(recording: string, flag: string): (name: string) => Found | undefined {
  return (name) => {
    const file = join(dirname(recording), name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (!found?.isFile()) return undefined;
    return { size: found.size, read: () => readNamedBytes(file, flag, found.size) };
  };
}

function readPacked({ files, unpack }: Archive): (name: string) => Found | undefined {
  return (name) => {
    const file = files.get(name);
    return file && { size: file.size, read: () => unpack(file) };
  };
}

/** Bytes of one file: read, it takes up to five times as much. */
const mostFileBytes = 48 << 20;

/** Bounds what is read of one file, and of all together. */
function boundAttached(find: (name: string) => Found | undefined): Attached {
  let left = LARGEST_HAR_BYTES;
  return (name) => {
    const file = find(name);
    if (file === undefined) return undefined;
    if (file.size > Math.min(left, mostFileBytes)) return 'too large';
    left -= file.size;
    return file.read();
  };
}
