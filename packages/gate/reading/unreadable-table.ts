import { OneLineError } from '@candleproof/files/usage-error';

/** Thrown for a table that cannot be read as candles. The message has file, line, reason and remedy in one line. */
export class UnreadableTable extends OneLineError {
  override readonly name = 'UnreadableTable';
  readonly #line: number;
  readonly #reason: string;

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.#line = line;
    this.#reason = reason;
  }

  /** Puts the file's name before the message, and counts by `unit`: line, or row of an array. */
  inFile(file: string, unit: 'line' | 'row'): UnreadableTable {
    this.message = `${file}: ${unit} ${this.#line}: ${this.#reason}`;
    return this;
  }
}

/** Thrown where later rows can decide: which of two orders values have, or which part of a date is its day. */
export class UnclearForm extends UnreadableTable {}
