import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip } from 'node:zlib';
import { Unzip, type UnzipDecoder, type UnzipFile, UnzipInflate } from 'fflate';
import { UsageError } from './usage-error.ts';

type Chunks = AsyncIterable<Uint8Array>;

/** Packed bytes that are unpacked at once: each may become a thousand times as many. */
const packedBytes = 1 << 14;

const entryMark = Buffer.from('PK\x01\x02', 'latin1');

/** Bytes at the end of a zip that are kept for its directory. */
const directoryBytes = 1 << 16;

/**
 * Unpacks gzip as a stream. `place` begins its messages.
 * @throws UsageError for a gzip that is damaged or truncated
 */
export async function* gunzip(chunks: Chunks, place: string): AsyncGenerator<Uint8Array> {
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

/** Folders and metadata of macOS. */
const skipped = /\/$|(^|\/)(__MACOSX\/|\.)/;

/** Inflates the file of a zip, and drops the bytes of those that are skipped. */
class UsedInflate implements UnzipDecoder {
  static readonly compression = UnzipInflate.compression;
  ondata: UnzipDecoder['ondata'] = () => undefined;
  readonly #inflate: UnzipInflate | undefined;

  constructor(name: string) {
    if (skipped.test(name)) return;
    this.#inflate = new UnzipInflate();
    this.#inflate.ondata = (...received) => this.ondata(...received);
  }

  push(bytes: Uint8Array, isLast: boolean): void {
    this.#inflate?.push(bytes, isLast);
  }
}

/** The first files of a workbook, which is a zip. */
const workbook = /^(\[Content_Types\]\.xml|xl\/.*)$/;

/** The file of a zip while it is unpacked. */
class ZippedFile {
  name = '';
  bytes = 0;
  sum = 0;
  isOver = false;
  ready: Uint8Array[] = [];
  error: Error | null = null;

  /** Unpacks a file of the zip; folders and macOS metadata are skipped. */
  take(file: UnzipFile, place: string): void {
    if (skipped.test(file.name)) {
      // Unread, its bytes would be kept.
      file.ondata = () => undefined;
      file.start();
      return;
    }
    if (workbook.test(file.name) || workbook.test(this.name))
      throw new UsageError(`${place}: it is an Excel workbook; save its sheet as CSV and name that`);
    if (this.name !== '')
      throw new UsageError(`${place}: it holds ${this.name} and ${file.name}; unpack it and name its files`);
    this.name = file.name;
    file.ondata = (error, data, final) => {
      this.error ??= error;
      if (error) return;
      this.bytes += data.length;
      this.sum = crc32(data, this.sum);
      this.isOver = final;
      if (data.length > 0) this.ready.push(data);
    };
    file.start();
  }
}

/**
 * Unpacks the only file of a zip as a stream. `place` begins its messages.
 * @throws UsageError for a zip that is damaged, truncated or holds several files
 */
export async function* unzip(chunks: Chunks, place: string): AsyncGenerator<Uint8Array> {
  const found = new ZippedFile();
  const archive = new Unzip((file) => found.take(file, place));
  archive.register(UsedInflate);
  let tail = new Uint8Array(0);
  for await (const chunk of chunks) {
    tail = keepTail(tail, chunk);
    for (let at = 0; at < chunk.length; at += packedBytes) {
      unpack(() => archive.push(chunk.slice(at, at + packedBytes)), found, place);
      yield* found.ready.splice(0);
    }
  }
  unpack(() => archive.push(new Uint8Array(0), true), found, place);
  yield* found.ready.splice(0);
  checkDirectory(tail, found, place);
}

function unpack(push: () => void, found: ZippedFile, place: string): void {
  try {
    push();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw damagedError(place, 'zip', (error as Error).message);
  }
  if (found.error) throw damagedError(place, 'zip', found.error.message);
}

function keepTail(tail: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([tail, chunk]).subarray(-directoryBytes));
}

/** Compares what was unpacked with its entry in the directory at the end: checksum at byte 16, size at 24. */
function checkDirectory(tail: Uint8Array, { name, isOver, sum, bytes }: ZippedFile, place: string): void {
  if (name === '') throw new UsageError(`${place}: it holds no file; give a zip of one table`);
  const directory = Buffer.from(tail.buffer);
  let at = directory.lastIndexOf(entryMark);
  while (
    at > 0 &&
    !directory
      .subarray(at + 46)
      .toString('utf8')
      .startsWith(name)
  )
    at = directory.lastIndexOf(entryMark, at - 1);
  if (!isOver || at < 0) throw damagedError(place, 'zip', 'it is cut off');
  const size = directory.readUInt32LE(at + 24);
  if (directory.readUInt32LE(at + 16) !== sum || (size !== bytes % 2 ** 32 && size !== 2 ** 32 - 1))
    throw damagedError(place, 'zip', 'its checksum differs');
}

function damagedError(place: string, kind: string, reason: string): UsageError {
  return new UsageError(`${place}: the ${kind} is damaged: ${reason}; fetch it again`);
}
