import { LENGTH } from '../market/interval.ts';
import { RecentlyUsed } from '../recently-used.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import type { MarketView, StoredPool } from '../store/market-view.ts';
import { candleRecord, candleText, type Presentation } from './records.ts';

/** Closed rows as JSON text, in parts that may be joined by commas. */
export type RowTexts = { readonly count: number; readonly parts: readonly string[] };

/** Which closed rows: first <= S <= last, both starts of buckets, as of `now` (Unix seconds). */
export type WantedRows = {
  readonly candles: MarketView['candles'];
  readonly pool: StoredPool;
  readonly shown: Presentation;
  readonly first: number;
  readonly last: number;
  readonly now: number;
};

/** Neighbouring rows as one text; row i starts at `starts[i]` and its text ends before `ends[i]`. */
type Chunk = {
  readonly revision: number;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly text: string;
};

const ROWS_IN_CHUNK = 72;
const MOST_CHUNKS = 1024;

/**
 * Texts of closed rows that were requested before. A chunk is read and kept as a whole once samples beyond its end have
 * come, for who asks for some of it asks for its neighbours next; whatever changes in it later raises the pool's
 * revision, by which it is known to be stale.
 */
export class ClosedRows {
  readonly #chunks = new RecentlyUsed<Chunk>({ most: MOST_CHUNKS });

  read(wanted: WantedRows): RowTexts {
    const { candles, pool, shown, now } = wanted;
    const length = LENGTH[shown.interval];
    const last = Math.min(wanted.last, now - length);
    const settled = candles.newestSample(pool.pool, now) ?? 0;
    const begins: number[] = [];
    let unread = wanted.first;
    for (; unread <= last && chunkEnd(unread, length) <= settled; unread = chunkEnd(unread, length)) {
      begins.push(chunkEnd(unread, length) - ROWS_IN_CHUNK * length);
    }
    const part = { first: wanted.first, last };
    const found = this.#whole(wanted, begins).map((chunk) => rowsOf(chunk, part));
    if (unread <= last) found.push(rowsOf(chunkOf(wanted, rowsBetween(wanted, unread, last))));
    return {
      count: found.reduce((sum, each) => sum + each.count, 0),
      parts: found.flatMap((each) => each.parts),
    };
  }

  /** The chunks that begin so. Of those that are not kept, all between the first and the last are read together. */
  #whole(wanted: WantedRows, begins: readonly number[]): Chunk[] {
    const { pool, shown } = wanted;
    const names = begins.map((first) => `${pool.pool} ${shown.interval} ${shown.inverted} ${first}`);
    const chunks = names.map((name) => {
      const kept = this.#chunks.get(name);
      return kept?.revision === pool.revision ? kept : undefined;
    });
    const [from, to] = [chunks.indexOf(undefined), chunks.lastIndexOf(undefined)];
    if (from === -1) return chunks.filter((each) => each !== undefined);
    const span = ROWS_IN_CHUNK * LENGTH[shown.interval];
    const end = (begins[to] ?? 0) + span;
    const rows = rowsBetween(wanted, begins[from] ?? 0, end - LENGTH[shown.interval]);
    let next = 0;
    return chunks.flatMap((kept, index) => {
      if (index < from || index > to) return kept ?? [];
      const begun = next;
      while ((rows[next]?.start ?? Number.POSITIVE_INFINITY) < (begins[index] ?? 0) + span) next++;
      if (kept) return kept;
      const chunk = chunkOf(wanted, rows.slice(begun, next));
      this.#chunks.set(names[index] ?? '', chunk);
      return chunk;
    });
  }
}

function rowsBetween({ candles, pool, shown, now }: WantedRows, first: number, last: number): DatedCandle[] {
  return candles.closed(pool.pool, shown.interval, first, last, now);
}

/** Where the chunk ends that holds the bucket at `start`; chunks are counted in whole buckets from the epoch. */
function chunkEnd(start: number, length: number): number {
  const phase = start % length;
  const chunk = ROWS_IN_CHUNK * length;
  return Math.floor((start - phase) / chunk) * chunk + phase + chunk;
}

function chunkOf({ pool, shown }: WantedRows, rows: readonly DatedCandle[]): Chunk {
  const texts = rows.map((each) => candleText(candleRecord(each, shown)));
  let end = -1;
  const ends = texts.map((each) => {
    end += each.length + 1;
    return end;
  });
  return { revision: pool.revision, starts: rows.map((each) => each.start), ends, text: texts.join(',') };
}

/** The rows of a chunk with first <= S <= last; all of them unless set otherwise. */
function rowsOf(
  { starts, ends, text }: Chunk,
  part?: { readonly first: number; readonly last: number },
): RowTexts {
  const from = part ? countBefore(starts, part.first) : 0;
  const to = part ? countBefore(starts, part.last + 1) : starts.length;
  if (to === from) return { count: 0, parts: [] };
  const begin = from === 0 ? 0 : (ends[from - 1] ?? 0) + 1;
  return { count: to - from, parts: [text.slice(begin, ends[to - 1])] };
}

/** How many of ascending starts are before `limit`. */
function countBefore(starts: readonly number[], limit: number): number {
  const index = starts.findIndex((each) => each >= limit);
  return index === -1 ? starts.length : index;
}
