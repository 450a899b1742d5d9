import type { GapMode } from './gated.ts';
import { FileJudge } from './judging/file-judge.ts';
import { formatInterval } from './judging/grid.ts';
import { ArrayLines } from './reading/array-lines.ts';
import { CandleTable } from './reading/candle-table.ts';
import type { TableChoice } from './reading/table.ts';
import { UnreadableTable } from './reading/table.ts';

/** A file to judge: its display name, and its bytes in chunks. A chunk is valid until the next one is read. */
export type GateSource = { readonly file: string; readonly chunks: AsyncIterable<Uint8Array> };

export type GateTerms = TableChoice & {
  readonly gaps: GapMode;
  /** Unix seconds. */
  readonly now: number;
  /** Interval in seconds for all files, or one for every file; guessed if omitted. */
  readonly intervals?: readonly number[];
  readonly onProgress?: (file: string, rows: number) => void;
};

/** Reads and judges one file, chunk by chunk. */
export class FileReading {
  readonly file: string;
  readonly judge: FileJudge;
  readonly table: CandleTable;
  isOver = false;
  /** Start of the last placed row, times the file's direction. */
  reached = Number.NEGATIVE_INFINITY;
  /** Called when all rows are judged. */
  onOver: (() => void) | undefined;
  readonly #lines = new ArrayLines();
  readonly #chunks: AsyncGenerator<Uint8Array>;
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
    this.#chunks = this.#lines.split(chunks);
    this.#onProgress = terms.onProgress;
  }

  /** Reads the next chunk. Throws UnreadableTable. */
  async advance(): Promise<void> {
    try {
      const { done = false, value } = await this.#chunks.next();
      if (done) this.table.end();
      else this.table.feed(value);
      this.isOver = done;
    } catch (error) {
      if (!(error instanceof UnreadableTable)) throw error;
      throw error.inFile(this.file, this.#lines.isArray ? 'row' : 'line');
    }
    this.#onProgress?.(this.file, this.judge.rows);
  }

  /** Reads until the grid is known. Throws UnreadableTable for a given interval that is not the table's. */
  async open(): Promise<void> {
    while (!this.isOver && !this.judge.isReady) await this.advance();
    const { length, usual } = this.judge.measure();
    if (usual === undefined) return;
    const belongs = `${formatInterval(length)} does not belong to this ${formatInterval(usual)} file`;
    throw new UnreadableTable(this.table.form?.firstRow ?? 1, `${belongs}; mend --interval`).inFile(
      this.file,
      'line',
    );
  }

  /** Closes the file, wherever reading stopped. */
  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  /** Judges the remaining rows. */
  finish(): void {
    this.judge.end();
    this.onOver?.();
  }
}
