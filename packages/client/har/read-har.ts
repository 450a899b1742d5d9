import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readNamedBytes } from '@candleproof/files/read-file';
import { type UnzipFileInfo, unzipSync } from 'fflate';
import type { Attached } from './foreign-entry.ts';
import { type HarReading, LARGEST_HAR_BYTES, parseHar, type ReadRecording } from './har.ts';
import { HarError } from './har-node.ts';

/** Reads a recording that the user named: HAR 1.2 with its bodies inside or in files beside it, or a zip of all. */
export function readHar(file: string, flag: string, how: Omit<HarReading, 'attached'> = {}): ReadRecording {
  const bytes = readNamedBytes(file, flag, LARGEST_HAR_BYTES);
  if (!isArchive(bytes)) return parseHar(bytes, file, { attached: readAttached(file, flag), ...how });
  const { recording, attached } = openArchive(bytes, file, LARGEST_HAR_BYTES);
  return parseHar(recording, file, { attached, ...how });
}

/** Returns a reader of plain files in the recording's folder, which in total may be as large as a recording. */
function readAttached(recording: string, flag: string): Attached {
  let left = LARGEST_HAR_BYTES;
  return (name) => {
    const file = join(dirname(recording), name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (!found?.isFile() || found.size > left) return undefined;
    left -= found.size;
    return readNamedBytes(file, flag, found.size);
  };
}

/** A recording and the files of its bodies in one zip, as Playwright packs them. */
export type Archive = { readonly recording: Buffer; readonly attached: Attached };

/** Returns whether a file begins like every zip. */
export function isArchive(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PK\x03\x04';
}

/**
 * Unpacks a recording in memory.
 * @param most bytes in total; a larger archive is refused before it is unpacked
 * @throws HarError if the archive is damaged, too large or not a recording
 */
export function openArchive(bytes: Uint8Array, fileName: string, most: number): Archive {
  const files = unpack(bytes, fileName, most);
  const recordings = Object.keys(files).filter((name) => name.endsWith('.har'));
  const [name] = recordings;
  if (name === undefined || recordings.length > 1) {
    throw new HarError(fileName, 'the archive', `must hold one .har file, and has ${recordings.length}`);
  }
  const attached: Attached = (wanted) => (Object.hasOwn(files, wanted) ? files[wanted] : undefined);
  return { recording: files[name] ?? Buffer.alloc(0), attached };
}

function unpack(bytes: Uint8Array, fileName: string, most: number): Record<string, Buffer> {
  let total = 0;
  const filter = ({ originalSize }: UnzipFileInfo): boolean => {
    total += originalSize;
    if (total > most) throw new HarError(fileName, 'the archive', `unpacks to more than ${most} bytes`);
    return true;
  };
  try {
    const files = Object.entries(unzipSync(bytes, { filter }));
    return Object.fromEntries(
      files.map(([name, { buffer, byteOffset, length }]) => [name, Buffer.from(buffer, byteOffset, length)]),
    );
  } catch (error) {
    if (error instanceof HarError) throw error;
    throw new HarError(fileName, 'the archive', 'is damaged: record it again');
  }
}
