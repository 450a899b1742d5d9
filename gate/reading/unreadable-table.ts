import { OneLineError } from '../../files/usage-error.ts';

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

/** Thrown for dates whose day and month later ones can tell apart. */
export class UnclearDates extends UnreadableTable {}
