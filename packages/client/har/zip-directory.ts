import type { HarBytes } from './har-bytes.ts';

/** A file of a zip: the places of its bytes, its sizes, and whether they are deflated. */
export type ZippedFile = {
  readonly from: number;
  readonly packed: number;
  readonly size: number;
  readonly isPacked: boolean;
};

const [entryMark, endMark, largeEndMark, largeEndPlaceMark] = [
  0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50,
];

/** Bytes of a directory, which has at least 46 for each file. */
const mostDirectoryBytes = 16 << 20;

/** A field of four bytes whose value is in a field of eight elsewhere. */
const elsewhere = 0xffff_ffff;

/** Returns the files of a zip by name, from the directory at its end; undefined for a damaged one. */
export function listZipped(bytes: HarBytes): Map<string, ZippedFile> | undefined {
  try {
    return readDirectory(bytes);
  } catch (error) {
    // A field lies behind the end of what was read.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readDirectory(bytes: HarBytes): Map<string, ZippedFile> | undefined {
  const end = findEnd(bytes);
  if (end === undefined || end.size > mostDirectoryBytes) return undefined;
  const directory = bytes.read(end.from, end.from + end.size);
  const files = new Map<string, ZippedFile>();
  for (let at = 0, left = end.count; left > 0; left--) {
    if (directory.readUInt32LE(at) !== entryMark) return undefined;
    const names = at + 46;
    const extra = names + directory.readUInt16LE(at + 28);
    const comment = extra + directory.readUInt16LE(at + 30);
    const isUtf8 = (directory.readUInt16LE(at + 8) & 0x800) !== 0;
    const name = directory.toString(isUtf8 ? 'utf8' : 'latin1', names, extra);
    const file = readFile(bytes, directory.subarray(at, comment), extra - at);
    if (file === undefined) return undefined;
    files.set(name, file);
    at = comment + directory.readUInt16LE(at + 32);
  }
  return files;
}

type End = { readonly count: number; readonly size: number; readonly from: number };

/** Finds the record behind the directory: a comment of up to 65,535 bytes may follow. */
function findEnd(bytes: HarBytes): End | undefined {
  const tailFrom = Math.max(0, bytes.size - 22 - 0xffff - 20);
  const tail = bytes.read(tailFrom, bytes.size);
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== endMark) at--;
  if (at < 0) return undefined;
  const place = at - 20;
  if (place >= 0 && tail.readUInt32LE(place) === largeEndPlaceMark) {
    const from = Number(tail.readBigUInt64LE(place + 8));
    const large = bytes.read(from, from + 56);
    if (large.readUInt32LE(0) !== largeEndMark) return undefined;
    const [count, size, start] = [32, 40, 48].map((field) => Number(large.readBigUInt64LE(field)));
    return { count: count ?? 0, size: size ?? 0, from: start ?? 0 };
  }
  return {
    count: tail.readUInt16LE(at + 10),
    size: tail.readUInt32LE(at + 12),
    from: tail.readUInt32LE(at + 16),
  };
}

/** Reads an entry of the directory; undefined for one that is packed in another way than by Deflate. */
function readFile(bytes: HarBytes, entry: Buffer, extra: number): ZippedFile | undefined {
  const method = entry.readUInt16LE(10);
  const large = listLargeFields(entry.subarray(extra));
  const read = (at: number): number => {
    const value = entry.readUInt32LE(at);
    return value === elsewhere ? Number(large.shift() ?? value) : value;
  };
  // In this order the large fields lie.
  const [size, packed, head] = [read(24), read(20), read(42)];
  const header = bytes.read(head, head + 30);
  const from = head + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  return method === 0 || method === 8 ? { from, packed, size, isPacked: method === 8 } : undefined;
}

/** Lists the fields of eight bytes in the extra field of Zip64. */
function listLargeFields(extra: Buffer): bigint[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const fields = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    return Array.from({ length: fields.length >> 3 }, (_, index) => fields.readBigUInt64LE(8 * index));
  }
  return [];
}
