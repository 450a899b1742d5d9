import { day, stamp } from '@candleproof/document/spec/interval';
import type { GapMode, Tolerable } from './gated.ts';
import { FileJudge } from './judging/file-judge.ts';
import { formatInterval } from './judging/grid.ts';
import type { SecondTable } from './judging/unnamed-table.ts';
import { ArrayLines } from './reading/array-lines.ts';
import { CandleTable } from './reading/candle-table.ts';
import { NightDates } from './reading/night-dates.ts';
import type { TableChoice, TableForm } from './reading/table.ts';
import { UnreadableTable } from './reading/unreadable-table.ts';

/** A file to judge: its display name, and its bytes in chunks. A chunk is valid until the next one is read. */
export type GateSource = {
  readonly file: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Returns the SHA-256 of the file once it was read. */
  readonly sha256?: () => string | undefined;
};

export type TableSources = { readonly file: string; readonly sources: readonly GateSource[] };

export type GateTerms = TableChoice & {
  readonly gaps: GapMode;
  /** Unix seconds. */
  readonly now: number;
  /** Interval in seconds for all files, or one for every file; guessed if omitted. */
  readonly intervals?: readonly number[];
  /** True if all files are one table in the order given; else those are whose names differ only in dates. */
  readonly isOneTable?: boolean;
  /** True if the two tables are of one market and one interval, and are compared row by row. */
  readonly isSame?: boolean;
  /** Kinds of suspicions that may be beyond chance; if omitted, none fails. */
  readonly tolerated?: readonly Tolerable[];
  readonly onProgress?: (file: string, rows: number) => void;
  /** Receives what tells doubted lines of each table, once it is judged; lines go on from one of its files to the next. */
  readonly onJudged?: (isDoubted: (line: number) => boolean) => void;
};

/** A file of a table that is being read: its rows, and the last line of the files before it. */
type Part = { readonly file: string; readonly linesBefore: number; rows: number };

/** Reads and judges one table, chunk by chunk: a file, or several in order. */
export class FileReading {
  readonly file: string;
  readonly judge: FileJudge;
  readonly parts: Part[] = [];
  readonly nights: NightDates;
  isOver = false;
  /** Start of the last placed row, times the file's direction. */
  reached = Number.NEGATIVE_INFINITY;
  readonly #sources: readonly GateSource[];
  readonly #terms: GateTerms;
  readonly #isPaired: boolean;
  #form: TableForm | undefined;
  #lastLine = 0;
  #part: Part = { file: '', linesBefore: 0, rows: 0 };
  #lines: ArrayLines;
  #table: CandleTable;
  #chunks: AsyncGenerator<Uint8Array> | undefined;

  /** `interval` is in seconds. */
  constructor(table: TableSources, interval: number | undefined, terms: GateTerms, isPaired: boolean) {
    this.file = table.file;
    this.judge = new FileJudge({ gaps: terms.gaps, now: terms.now, interval });
    this.nights = new NightDates((row) => this.judge.take(row));
    this.#sources = table.sources;
    this.#terms = terms;
    this.#isPaired = isPaired;
    this.#lines = new ArrayLines(terms);
    this.#table = this.#openNext();
  }

  /** The form of the first file that has a row. */
  get form(): TableForm | undefined {
    return this.#form ?? this.#table.form;
  }

  /** Reads the next chunk. Throws UnreadableTable. */
  async advance(): Promise<void> {
    try {
      const next = await this.#chunks?.next();
      if (next?.done === false) this.#table.feed(next.value);
      else this.#endPart();
    } catch (error) {
      if (!(error instanceof UnreadableTable)) throw error;
      throw error.inFile(this.#part.file, this.#lines.isArray ? 'row' : 'line');
    }
    this.refuseMixed();
    this.#terms.onProgress?.(this.#part.file, this.judge.rows);
  }

  /** Reads until the grid is known. Throws UnreadableTable for a given interval that is not the table's. */
  async open(): Promise<void> {
    while (!this.isOver && !this.judge.isReady) await this.advance();
    const { length, usual } = this.judge.measure();
    if (usual === undefined) return;
    const belongs = `${formatInterval(length)} does not belong to this ${formatInterval(usual)} file`;
    const line = this.form?.firstRow ?? 1;
    throw new UnreadableTable(line, `${belongs}; fix --interval`).inFile(this.file, 'line');
  }

  /** Throws UnreadableTable if a second table follows below the first, or rows of a shorter interval. */
  refuseMixed(): void {
    const { secondTable: second, shorterSteps: shorter } = this.judge;
    if (second) throw this.#refuseSecond(second);
    if (shorter === undefined) return;
    const [before, now] = [this.judge.measure().length, shorter.step].map(formatInterval);
    const what = `rows are ${now} apart from here on, and ${before} before`;
    throw this.#refuse(shorter.line, `${what}; give --interval ${now}, or a file of each`);
  }

  /** Names what begins again: hours of a clock of twelve go back by as many. */
  #refuseSecond({ line, start, back }: SecondTable): UnreadableTable {
    const { length } = this.judge.measure();
    if (back !== day / 2 - length) {
      const what = `times begin again at ${stamp(start)} with other prices, as in a second table`;
      return this.#refuse(line, `${what} of another symbol; give a file of each`);
    }
    const what = `the time goes back by 12 hours to ${stamp(start)}, as on a clock without a.m. or p.m.`;
    return this.#refuse(line, `${what}; export hours from 0 to 23`);
  }

  /** Names the place of a row. */
  #refuse(row: number, reason: string): UnreadableTable {
    const { file, line } = this.locate(row);
    return new UnreadableTable(line, reason).inFile(file, this.#lines.isArray ? 'row' : 'line');
  }

  /** Returns the file of a row, and the row's line there. */
  locate(line: number): { file: string; line: number } {
    const { file, linesBefore } = this.parts.findLast((part) => line > part.linesBefore) ?? this.#part;
    return { file, line: line - linesBefore };
  }

  /** Closes the files, wherever reading stopped. */
  async close(): Promise<void> {
    await this.#chunks?.return(undefined);
    for (const { chunks } of this.#sources.slice(this.parts.length))
      await chunks[Symbol.asyncIterator]().return?.();
  }

  /** The name, rows and hash of each file. */
  get files(): readonly { file: string; rows: number; sha256?: string }[] {
    return this.parts.map(({ file, rows }, at) => {
      const sha256 = this.#sources[at]?.sha256?.();
      return { file, rows, ...(sha256 !== undefined && { sha256 }) };
    });
  }

  #openNext(): CandleTable {
    const { file, chunks } = this.#sources[this.parts.length] as GateSource;
    const part = { file, linesBefore: this.#lastLine, rows: 0 };
    this.parts.push(part);
    this.#part = part;
    this.#lines = new ArrayLines(this.#terms);
    this.#chunks = this.#lines.split(chunks);
    return new CandleTable(this.#terms, this.#isPaired, (row) => {
      row.line += part.linesBefore;
      this.#lastLine = row.line;
      part.rows++;
      this.nights.take(row);
    });
  }

  #endPart(): void {
    this.#table.end();
    this.#form ??= this.#table.form;
    this.isOver = this.parts.length === this.#sources.length;
    if (this.isOver) this.nights.end();
    else this.#table = this.#openNext();
  }
}
