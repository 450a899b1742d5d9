import type { GateSource, GateTerms } from './file-reading.ts';
import { ArrayLines } from './reading/array-lines.ts';
import { CandleTable } from './reading/candle-table.ts';
import { UnreadableTable } from './reading/unreadable-table.ts';

/** Rows of a file that show its order. */
const fewest = 8;

/** Returns the files of a table in the order of their rows: the newest file first if its rows begin with the newest. */
export async function orderParts(sources: readonly GateSource[], terms: GateTerms): Promise<GateSource[]> {
  const [first, ...others] = sources;
  if (first === undefined || others.length === 0) return [...sources];
  const replay = new Replay(first.chunks);
  const isFalling = await startsWithNewest(replay, terms);
  const parts = [{ ...first, chunks: replay }, ...others];
  return isFalling ? parts.toReversed() : parts;
}

/** Reads the first rows. An unreadable file is reported by the next reader. */
async function startsWithNewest(chunks: Replay, terms: GateTerms): Promise<boolean> {
  const starts: number[] = [];
  const table = new CandleTable(terms, false, ({ start }) => starts.push(start));
  try {
    for await (const chunk of new ArrayLines(terms).split(chunks.record())) {
      table.feed(chunk);
      if (starts.length >= fewest) break;
    }
    if (starts.length < fewest) table.end();
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error;
  }
  const steps = starts.slice(1).map((start, at) => Math.sign(start - (starts[at] ?? start)));
  return steps.reduce((sum, step) => sum + step, 0) < 0;
}

/** Bytes that are read twice at most; a document that is parsed as a whole may be longer, and keeps its place. */
const mostRecorded = 8 << 20;

/** Chunks that are read twice at their beginning. */
class Replay implements AsyncIterable<Uint8Array> {
  readonly #rest: AsyncIterator<Uint8Array>;
  readonly #recorded: Uint8Array[] = [];

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#rest = chunks[Symbol.asyncIterator]();
  }

  /** Yields chunks from the beginning, and keeps them for those who read after it. */
  async *record(): AsyncGenerator<Uint8Array> {
    for (let size = 0; size < mostRecorded; ) {
      const next = await this.#rest.next();
      if (next.done) return;
      this.#recorded.push(next.value.slice());
      size += next.value.length;
      yield next.value;
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        const value = this.#recorded.shift();
        return value ? { value, done: false } : this.#rest.next();
      },
      return: async () => {
        await this.#rest.return?.();
        return { value: undefined, done: true };
      },
    };
  }
}
