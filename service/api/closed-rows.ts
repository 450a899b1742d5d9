import { LENGTH } from '../market/interval.ts';
import type { CandleStore } from '../store/candle-store.ts';
import type { StoredPool } from '../store/market-facts.ts';
import { candleRecord, candleText, type Presentation } from './records.ts';

/** Closed rows as JSON text, in parts that may be joined by commas. */
export type RowTexts = { readonly count: number; readonly parts: readonly string[] };

/** Which closed rows: first <= S <= last, both starts of buckets, as of `now` (Unix seconds). */
export type WantedRows = {
  readonly candles: CandleStore;
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
const MOST_CHUNKS = 512;

/**
 * Texts of closed rows that were asked for before. A chunk is kept once it is asked for as a whole and samples
 * beyond its end have come; whatever changes in it later raises the pool's revision, by which it is told stale.
 */
export class ClosedRows {
  readonly #chunks = new Map<string, Chunk>();

  read(wanted: WantedRows): RowTexts {
    const { candles, pool, shown, now } = wanted;
    const length = LENGTH[shown.interval];
    const last = Math.min(wanted.last, now - length);
    const settled = candles.newestSample(pool.pool, now) ?? 0;
    const found: RowTexts[] = [];
    let unread = wanted.first;
    for (let first = wanted.first; first <= last; ) {
      const end = chunkEnd(first, length);
      const part = { ...wanted, first, last: Math.min(last, end - length) };
      const kept = end <= settled ? this.#chunk(part, end - ROWS_IN_CHUNK * length) : undefined;
      if (kept) {
        if (unread < first) found.push(rowsOf(chunkOf({ ...wanted, first: unread, last: first - length })));
        found.push(rowsOf(kept, part));
        unread = end;
      }
      first = end;
    }
    if (unread <= last) found.push(rowsOf(chunkOf({ ...wanted, first: unread, last })));
    return {
      count: found.reduce((sum, each) => sum + each.count, 0),
      parts: found.flatMap((each) => each.parts),
    };
  }

  /** The chunk that starts at `start`, if it is kept or worth keeping now. */
  #chunk(part: WantedRows, start: number): Chunk | undefined {
    const { pool, shown } = part;
    const key = `${pool.pool} ${shown.interval} ${shown.inverted} ${start}`;
    const kept = this.#chunks.get(key);
    const whole = part.first === start && part.last === start + (ROWS_IN_CHUNK - 1) * LENGTH[shown.interval];
    const fresh = kept?.revision === pool.revision ? kept : whole ? chunkOf(part) : undefined;
    this.#chunks.delete(key);
    if (fresh) this.#chunks.set(key, fresh);
    for (const eldest of this.#chunks.keys()) {
      if (this.#chunks.size <= MOST_CHUNKS) break;
      this.#chunks.delete(eldest);
    }
    return fresh;
  }
}

/** Where the chunk ends that holds the bucket at `start`; chunks are counted in whole buckets from the epoch. */
function chunkEnd(start: number, length: number): number {
  const phase = start % length;
  const chunk = ROWS_IN_CHUNK * length;
  return Math.floor((start - phase) / chunk) * chunk + phase + chunk;
}

function chunkOf({ candles, pool, shown, first, last, now }: WantedRows): Chunk {
  const rows = candles.closed(pool.pool, shown.interval, first, last, now);
  const texts = rows.map((each) => candleText(candleRecord(each, shown)));
  let end = -1;
  const ends = texts.map((each) => {
    end += each.length + 1;
    return end;
  });
  return { revision: pool.revision, starts: rows.map((each) => each.start), ends, text: texts.join(',') };
}

/** The rows of a chunk with first <= S <= last; all of them unless told otherwise. */
function rowsOf(chunk: Chunk, part?: { readonly first: number; readonly last: number }): RowTexts {
  const { starts, ends, text } = chunk;
  const from = part ? starts.findIndex((each) => each >= part.first) : 0;
  const count = part
    ? starts.filter((each) => each >= part.first && each <= part.last).length
    : starts.length;
  if (count === 0) return { count, parts: [] };
  const begin = from === 0 ? 0 : (ends[from - 1] ?? 0) + 1;
  return { count, parts: [text.slice(begin, ends[from + count - 1])] };
}
