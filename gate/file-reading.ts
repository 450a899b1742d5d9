import type { GapMode } from './gated.ts';
import { FileJudge } from './judging/file-judge.ts';
import { CandleTable } from './reading/candle-table.ts';
import type { TableChoice } from './reading/table-form.ts';
import { UnreadableTable } from './reading/unreadable-table.ts';

/** A file as it is read: its name for people, and its bytes in chunks, each good until the next is taken. */
export type GateSource = { readonly file: string; readonly chunks: AsyncIterable<Uint8Array> };

export type GateTerms = TableChoice & {
  readonly gaps: GapMode;
  /** Unix seconds. */
  readonly now: number;
  /** Seconds: one for all files, or one for each; guessed where left out. */
  readonly intervals?: readonly number[];
  readonly onProgress?: (file: string, rows: number) => void;
};

/** A file on its way: a chunk at a time. */
export class FileReading {
  readonly file: string;
  readonly judge: FileJudge;
  readonly table: CandleTable;
  isOver = false;
  /** In the order of its rows, the last start in its place. */
  reached = Number.NEGATIVE_INFINITY;
  /** Once all of its rows are judged. */
  onOver: (() => void) | undefined;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #onProgress: GateTerms['onProgress'];

  constructor(
    { file, chunks }: GateSource,
    interval: number | undefined,
    terms: GateTerms,
    isPaired: boolean,
  ) {
    this.file = file;
    this.judge = new FileJudge({ gaps: terms.gaps, now: terms.now, interval });
    this.table = new CandleTable(terms, isPaired, (row) => this.judge.take(row));
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#onProgress = terms.onProgress;
  }

  async advance(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    try {
      if (done) this.table.end();
      else this.table.feed(value);
    } catch (error) {
      throw error instanceof UnreadableTable ? error.within(this.file) : error;
    }
    if (done) this.isOver = true;
    this.#onProgress?.(this.file, this.judge.rows);
  }

  /** Until the grid is known. */
  async open(): Promise<void> {
    while (!this.isOver && !this.judge.isReady) await this.advance();
    this.judge.measure();
  }

  /** All that is left of it. */
  finish(): void {
    this.judge.end();
    this.onOver?.();
  }
}
