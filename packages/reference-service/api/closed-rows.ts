import { crc32 } from 'node:zlib';
import { LruCache } from '../lru-cache.ts';
import { LENGTH, modulo } from '../market/candle.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import type { MarketView, StoredPool } from '../store/stored-market.ts';
import { entityTag, type TaggedBody } from './answer-cache.ts';
import { Pieces } from './message.ts';
import { candleRecord, candleText, type Presentation } from './records.ts';

/** A request for closed rows with first <= S <= last, both bucket starts, as of `now` (Unix seconds). */
export type WantedRows = {
  readonly candles: MarketView['candles'];
  readonly pool: StoredPool;
  readonly presentation: Presentation;
  readonly first: number;
  readonly last: number;
  readonly now: number;
};

/** All rows from the start of a chunk to `until`; row i starts at `starts[i]`. */
type Chunk = EndedRows & {
  readonly revision: number;
  readonly until: number;
  readonly starts: readonly number[];
};

const ROWS_IN_CHUNK = 72;
const MOST_CHUNKS = 1024;

/**
 * Caches the JSON text of closed rows in chunks, because a client that requests some rows usually requests their
 * neighbors next. Only rows followed by newer samples are cached. A later change raises the pool's revision, which marks
 * its chunks as stale.
 */
export class ClosedRows {
  readonly #chunks = new LruCache<Chunk>({ most: MOST_CHUNKS });

  read(wanted: WantedRows): RowBytes[] {
    const { candles, pool, presentation, first, now } = wanted;
    const length = LENGTH[presentation.interval];
    const last = Math.min(wanted.last, now - length);
    const newest = candles.newestSample(pool.pool, now) ?? 0;
    const unsettled = newest - modulo(newest - first, length);
    const chunks = this.#settledChunks({ ...wanted, last: Math.min(last, unsettled - length) }, unsettled);
    const rest = Math.max(first, unsettled);
    if (rest <= last) chunks.push(makeChunk(wanted, rowsBetween(wanted, rest, last), last));
    return chunks.map((chunk) =>
      sliceRows(chunk, countBefore(chunk.starts, first), countBefore(chunk.starts, last + 1)),
    );
  }

  /** Returns the chunks that cover the range. Reads everything between the first and last missing chunk at once. */
  #settledChunks(wanted: WantedRows, unsettled: number): Chunk[] {
    const { pool, presentation, first, last } = wanted;
    const length = LENGTH[presentation.interval];
    const span = ROWS_IN_CHUNK * length;
    const begins: number[] = [];
    for (let begin = chunkStart(first, length); begin <= last; begin += span) begins.push(begin);
    const chunkName = (begin: number): string =>
      `${pool.pool} ${presentation.interval} ${presentation.inverted} ${begin}`;
    const known = begins.map((begin) => {
      const cached = this.#chunks.get(chunkName(begin));
      const isEnough = cached && cached.until >= Math.min(begin + span, last + length);
      return isEnough && cached.revision === pool.revision ? cached : undefined;
    });
    const [from, to] = [known.indexOf(undefined), known.lastIndexOf(undefined)];
    if (from === -1) return known.filter((chunk) => chunk !== undefined);
    const end = Math.min((begins[to] ?? 0) + span, unsettled);
    const missing = rowsBetween(wanted, begins[from] ?? 0, end - length);
    const rows = Map.groupBy(missing, ({ start }) => chunkStart(start, length));
    return begins.map((begin, index) => {
      const cached = known[index];
      if (cached) return cached;
      const chunk = makeChunk(wanted, rows.get(begin) ?? [], Math.min(begin + span, unsettled));
      this.#chunks.set(chunkName(begin), chunk);
      return chunk;
    });
  }
}

function rowsBetween(
  { candles, pool, presentation, now }: WantedRows,
  first: number,
  last: number,
): DatedCandle[] {
  return candles.closedCandles(pool.pool, presentation.interval, first, last, now);
}

/** Returns the start of the chunk that contains the bucket at `start`. Chunks are counted in whole buckets from the epoch. */
function chunkStart(start: number, length: number): number {
  const phase = modulo(start, length);
  return start - modulo(start - phase, ROWS_IN_CHUNK * length);
}

function makeChunk({ pool, presentation }: WantedRows, rows: readonly DatedCandle[], until: number): Chunk {
  const texts = rows.map((row) => candleText(candleRecord(row, presentation)));
  return { ...rowBytes(texts), revision: pool.revision, until, starts: rows.map(({ start }) => start) };
}

/** Returns the number of ascending starts before `limit`. */
function countBefore(starts: readonly number[], limit: number): number {
  const index = starts.findIndex((start) => start >= limit);
  return index === -1 ? starts.length : index;
}

/** Consecutive rows as comma-separated JSON, with a checksum for each. */
export type RowBytes = { readonly count: number; readonly bytes: Buffer; readonly checksums: Buffer };

/** Rows with the offset at which the text of each ends. */
export type EndedRows = RowBytes & { readonly ends: readonly number[] };
const CHECKSUM_BYTES = 4;
const [opening, comma, closing] = [singleByte('['), singleByte(','), singleByte(']')];

/** Encodes the JSON texts of rows. */
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

/** Returns the rows with indexes from `from` up to but excluding `to`. */
function sliceRows({ count, bytes, checksums, ends }: EndedRows, from: number, to: number): RowBytes {
  if (from === 0 && to === count) return { count, bytes, checksums };
  return {
    count: to - from,
    bytes: bytes.subarray(from === 0 ? 0 : (ends[from - 1] ?? 0) + 1, ends[to - 1]),
    checksums: checksums.subarray(from * CHECKSUM_BYTES, to * CHECKSUM_BYTES),
  };
}

/** Joins rows into one JSON array. Its tag depends on the rows' checksums alone, not on how they were split. */
export function rowsBody(pieces: readonly RowBytes[]): TaggedBody {
  const filled = pieces.filter(({ count }) => count > 0);
  const separated = filled.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [comma, bytes]));
  return {
    body: new Pieces([opening, ...separated, closing]),
    tag: entityTag(Buffer.concat(filled.map(({ checksums }) => checksums))),
  };
}

/** Returns a separate buffer, so that it does not keep one of Node's shared pools alive. */
function singleByte(character: string): Buffer {
  return Buffer.from(Uint8Array.of(character.charCodeAt(0)).buffer);
}
