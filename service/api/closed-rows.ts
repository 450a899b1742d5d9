import { LENGTH } from '../market/interval.ts';
import { RecentlyUsed } from '../recently-used.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import type { MarketView, StoredPool } from '../store/market-view.ts';
import { candleRecord, candleText, type Presentation } from './records.ts';
import { type EndedRows, type RowBytes, rowBytes, slicedRows } from './row-bytes.ts';

/** Which closed rows: first <= S <= last, both starts of buckets, as of `now` (Unix seconds). */
export type WantedRows = {
  readonly candles: MarketView['candles'];
  readonly pool: StoredPool;
  readonly shown: Presentation;
  readonly first: number;
  readonly last: number;
  readonly now: number;
};

/** All rows from its beginning to `until`; row i starts at `starts[i]`. */
type Chunk = EndedRows & {
  readonly revision: number;
  readonly until: number;
  readonly starts: readonly number[];
};

const ROWS_IN_CHUNK = 72;
const MOST_CHUNKS = 1024;

/**
 * Closed rows as they were served before. A chunk is read and kept as far as samples beyond its rows have come, for who
 * asks for some of it asks for its neighbours next; whatever changes in it later raises the pool's revision, by which
 * it is known to be stale.
 */
export class ClosedRows {
  readonly #chunks = new RecentlyUsed<Chunk>({ most: MOST_CHUNKS });

  read(wanted: WantedRows): RowBytes[] {
    const { candles, pool, shown, first, now } = wanted;
    const length = LENGTH[shown.interval];
    const last = Math.min(wanted.last, now - length);
    const newest = candles.newestSample(pool.pool, now) ?? 0;
    const unsettled = newest - modulo(newest - first, length);
    const chunks = this.#settled({ ...wanted, last: Math.min(last, unsettled - length) }, unsettled);
    const rest = Math.max(first, unsettled);
    if (rest <= last) chunks.push(chunkOf(wanted, rowsBetween(wanted, rest, last), last));
    return chunks.map((chunk) =>
      slicedRows(chunk, countBefore(chunk.starts, first), countBefore(chunk.starts, last + 1)),
    );
  }

  /** The chunks that hold the range. Of those that are not kept, all between the first and the last are read together. */
  #settled(wanted: WantedRows, unsettled: number): Chunk[] {
    const { pool, shown, first, last } = wanted;
    const length = LENGTH[shown.interval];
    const span = ROWS_IN_CHUNK * length;
    const begins: number[] = [];
    for (let begin = chunkBegin(first, length); begin <= last; begin += span) begins.push(begin);
    const nameOf = (begin: number): string => `${pool.pool} ${shown.interval} ${shown.inverted} ${begin}`;
    const known = begins.map((begin) => {
      const kept = this.#chunks.get(nameOf(begin));
      const isEnough = kept && kept.until >= Math.min(begin + span, last + length);
      return isEnough && kept.revision === pool.revision ? kept : undefined;
    });
    const [from, to] = [known.indexOf(undefined), known.lastIndexOf(undefined)];
    if (from === -1) return known.filter((each) => each !== undefined);
    const end = Math.min((begins[to] ?? 0) + span, unsettled);
    const missing = rowsBetween(wanted, begins[from] ?? 0, end - length);
    const rows = Map.groupBy(missing, ({ start }) => chunkBegin(start, length));
    return begins.map((begin, index) => {
      const kept = known[index];
      if (kept) return kept;
      const chunk = chunkOf(wanted, rows.get(begin) ?? [], Math.min(begin + span, unsettled));
      this.#chunks.set(nameOf(begin), chunk);
      return chunk;
    });
  }
}

function rowsBetween({ candles, pool, shown, now }: WantedRows, first: number, last: number): DatedCandle[] {
  return candles.closed(pool.pool, shown.interval, first, last, now);
}

/** Where the chunk begins that holds the bucket at `start`; chunks are counted in whole buckets from the epoch. */
function chunkBegin(start: number, length: number): number {
  const phase = modulo(start, length);
  return start - modulo(start - phase, ROWS_IN_CHUNK * length);
}

function chunkOf({ pool, shown }: WantedRows, rows: readonly DatedCandle[], until: number): Chunk {
  const texts = rows.map((each) => candleText(candleRecord(each, shown)));
  return { ...rowBytes(texts), revision: pool.revision, until, starts: rows.map(({ start }) => start) };
}

/** How many of ascending starts are before `limit`. */
function countBefore(starts: readonly number[], limit: number): number {
  const index = starts.findIndex((each) => each >= limit);
  return index === -1 ? starts.length : index;
}

function modulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
