import { inflateRawSync } from 'node:zlib';
import { Inflate } from 'fflate';
import { type HarBytes, holdBytes, readChunks } from './har-bytes.ts';
import { HarError } from './har-node.ts';
import { listZipped, type ZippedFile } from './zip-directory.ts';

/** A recording and the files of its bodies in one zip, as Playwright packs them. */
export type Archive = {
  /** The bytes of the recording as they are unpacked. */
  readonly recording: Iterable<Uint8Array>;
  /** The other files by name, with their sizes. */
  readonly files: ReadonlyMap<string, ZippedFile>;
  unpack(file: ZippedFile): Buffer;
};

/** Packed bytes that are unpacked at once: each may become a thousand times as many. */
const packedBytes = 1 << 14;

/** Returns whether a file begins like every zip. */
export function isArchive(bytes: HarBytes): boolean {
  return bytes.read(0, 4).toString('latin1') === 'PK\x03\x04';
}

/**
 * Opens an archive whose files are unpacked when they are read.
 * @param most bytes of all files; a larger archive is refused before it is unpacked
 * @throws HarError if the archive is damaged, too large or not a recording
 */
export function openArchive(bytes: HarBytes, fileName: string, most: number): Archive {
  const files = listZipped(bytes);
  if (files === undefined) throw damagedError(fileName);
  const total = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  if (total > most) throw new HarError(fileName, 'the archive', `unpacks to more than ${most} bytes`);
  const recordings = [...files].filter(([name]) => name.endsWith('.har'));
  const [recording] = recordings;
  if (recording === undefined || recordings.length > 1) {
    throw new HarError(fileName, 'the archive', `must hold one .har file, and has ${recordings.length}`);
  }
  return {
    recording: unpackChunks(bytes, recording[1], fileName),
    files,
    unpack: (file) => unpackWhole(bytes, file, fileName),
  };
}

function damagedError(fileName: string): HarError {
  return new HarError(fileName, 'the archive', 'is damaged: record it again');
}

function* unpackChunks(bytes: HarBytes, file: ZippedFile, fileName: string): Generator<Uint8Array> {
  let left = file.size;
  for (const chunk of file.isPacked ? inflate(bytes, file, fileName) : readPacked(bytes, file)) {
    left -= chunk.length;
    if (left < 0) throw damagedError(fileName);
    yield* readChunks(holdBytes(chunk));
  }
  if (left > 0) throw damagedError(fileName);
}

function readPacked(bytes: HarBytes, { from, packed }: ZippedFile): Generator<Buffer> {
  return readChunks(bytes, from, from + packed);
}

function* inflate(bytes: HarBytes, file: ZippedFile, fileName: string): Generator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const inflating = new Inflate((chunk) => ready.push(chunk));
  for (const chunk of readPacked(bytes, file))
    for (let at = 0; at < chunk.length; at += packedBytes) {
      try {
        inflating.push(chunk.subarray(at, at + packedBytes));
      } catch {
        throw damagedError(fileName);
      }
      yield* ready.splice(0);
    }
}

function unpackWhole(bytes: HarBytes, file: ZippedFile, fileName: string): Buffer {
  // Deflate adds five bytes to each block that it cannot shorten.
  if (file.packed > 2 * file.size + 64) throw damagedError(fileName);
  const packed = bytes.read(file.from, file.from + file.packed);
  try {
    const whole = file.isPacked ? inflateRawSync(packed, { maxOutputLength: file.size + 1 }) : packed;
    if (whole.length === file.size) return whole;
  } catch {
    // It is damaged as well if it does not end where its directory says.
  }
  throw damagedError(fileName);
}
