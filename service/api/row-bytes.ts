import { crc32 } from 'node:zlib';
import { entityTag } from './entity-tag.ts';
import type { TaggedBody } from './kept-answers.ts';
import { Pieces } from './pieces.ts';

/** Neighbouring rows as the bytes of their JSON text, commas between them, and a checksum of each. */
export type RowBytes = { readonly count: number; readonly bytes: Buffer; readonly checksums: Buffer };

/** Rows, and where the text of each ends. */
export type EndedRows = RowBytes & { readonly ends: readonly number[] };

const CHECKSUM_BYTES = 4;
const [opening, comma, closing] = [sign('['), sign(','), sign(']')];

export function rowBytes(texts: readonly string[]): EndedRows {
  const checksums = Buffer.alloc(texts.length * CHECKSUM_BYTES);
  const bytes = Buffer.from(texts.join(','));
  let begin = 0;
  const ends = texts.map((text, index) => {
    checksums.writeUInt32LE(crc32(text), index * CHECKSUM_BYTES);
    const end = begin + Buffer.byteLength(text);
    begin = end + 1;
    return end;
  });
  return { count: texts.length, bytes, checksums, ends };
}

/** Those from `from` to before `to`. */
export function slicedRows({ count, bytes, checksums, ends }: EndedRows, from: number, to: number): RowBytes {
  if (from === 0 && to === count) return { count, bytes, checksums };
  return {
    count: to - from,
    bytes: bytes.subarray(from === 0 ? 0 : (ends[from - 1] ?? 0) + 1, ends[to - 1]),
    checksums: checksums.subarray(from * CHECKSUM_BYTES, to * CHECKSUM_BYTES),
  };
}

/** All of them as one JSON array. Its tag is made of the checksums: the same rows have the same, however they were kept. */
export function rowsBody(pieces: readonly RowBytes[]): TaggedBody {
  const filled = pieces.filter(({ count }) => count > 0);
  const separated = filled.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [comma, bytes]));
  return {
    body: new Pieces([opening, ...separated, closing]),
    tag: entityTag(Buffer.concat(filled.map(({ checksums }) => checksums))),
  };
}

/** With memory of its own: it holds no pool of Node's. */
function sign(character: string): Buffer {
  return Buffer.from(Uint8Array.of(character.charCodeAt(0)).buffer);
}
