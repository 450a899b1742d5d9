import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readNamedBytes } from '@candleproof/files/read-file';
import type { Attached } from './foreign-entry.ts';
import { type HarReading, LARGEST_HAR_BYTES, parseHar, type ReadRecording } from './har.ts';
import { type Archive, isArchive, openArchive } from './har-archive.ts';
import { type HarBytes, openHarBytes, readChunks } from './har-bytes.ts';
import { HarError } from './har-node.ts';

/** Reads a recording that the user named: HAR 1.2 with its bodies inside or in files beside it, or a zip of all. */
export function readHar(file: string, flag: string, how: Omit<HarReading, 'attached'> = {}): ReadRecording {
  const bytes = openHarBytes(file, flag, LARGEST_HAR_BYTES);
  try {
    if (isGzip(bytes)) {
      const attached = boundAttached(readBeside(file, flag));
      return parseHar([gunzipHar(bytes, file)], file, { attached, ...how });
    }
    if (!isArchive(bytes))
      return parseHar(readChunks(bytes), file, { attached: boundAttached(readBeside(file, flag)), ...how });
    const archive = openArchive(bytes, file, LARGEST_HAR_BYTES);
    return parseHar(archive.recording, file, { attached: boundAttached(readPacked(archive)), ...how });
  } finally {
    bytes.close();
  }
}

function isGzip(bytes: HarBytes): boolean {
  return bytes.read(0, 2).toString('hex') === '1f8b';
}

/** Unpacks a recording that is packed alone. Throws a HarError if it is damaged or too large. */
function gunzipHar(bytes: HarBytes, file: string): Buffer {
  try {
    return gunzipSync(bytes.read(0, bytes.size), { maxOutputLength: LARGEST_HAR_BYTES });
  } catch {
    throw new HarError(file, 'the archive', `is damaged, or unpacks to more than ${LARGEST_HAR_BYTES} bytes`);
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
