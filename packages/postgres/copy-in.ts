import type { Connection, Submittable } from 'pg';

/** Size in characters of the parts in which rows are sent. */
const PART = 65_536;

/** COPY FROM STDIN as a query of pg, which hands it the connection and the server's messages. */
export class CopyIn implements Submittable {
  readonly done: Promise<void>;
  /** Set and replaced by pg, whose timer of the query it ends. */
  callback?: () => void;
  readonly #table: string;
  readonly #rows: Iterable<readonly (number | bigint)[]>;
  readonly #settle: { resolve(): void; reject(error: unknown): void };

  constructor(table: string, rows: Iterable<readonly (number | bigint)[]>) {
    const { promise, ...settle } = Promise.withResolvers<void>();
    this.done = promise;
    this.#settle = settle;
    this.#table = table;
    this.#rows = rows;
  }

  submit(connection: Connection): void {
    connection.query(`COPY ${this.#table} FROM STDIN`);
  }

  /** Numbers need no escape in COPY's text format. */
  handleCopyInResponse(connection: CopyConnection): void {
    let part = '';
    for (const row of this.#rows) {
      part += `${row.join('\t')}\n`;
      if (part.length < PART) continue;
      connection.sendCopyFromChunk(Buffer.from(part));
      part = '';
    }
    connection.sendCopyFromChunk(Buffer.from(part));
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback?.();
    this.#settle.resolve();
  }

  handleError(error: unknown): void {
    this.callback?.();
    this.#settle.reject(error);
  }
}

type CopyConnection = { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };
