import { open } from 'node:fs/promises';
import { explainUnreadable } from './read-file.ts';
import { UsageError } from './usage-error.ts';

type Reader = typeof import('hyparquet');
type Schema = ReturnType<Reader['parquetSchema']>['children'][number];

/** Rows that are written at once. */
const mostRows = 4096;

/** Returns whether a named file begins like Parquet; does not read from a pipe. */
export async function isParquet(file: string): Promise<boolean> {
  const opened = await open(file).catch(() => undefined);
  try {
    if (!(await opened?.stat())?.isFile()) return false;
    const { buffer } = (await opened?.read(new Uint8Array(4), 0, 4, 0)) ?? {};
    return buffer !== undefined && new TextDecoder('latin1').decode(buffer) === 'PAR1';
  } finally {
    await opened?.close();
  }
}

/**
 * Reads a Parquet file as lines of CSV, one group of rows after the other. Times are ISO 8601; nested columns are
 * omitted. `areRead` returns for the names of the others which columns are read; other cells stay empty.
 * @throws UsageError with the flag, for a file that cannot be read or if hyparquet is not installed
 */
export async function* readParquetLines(
  file: string,
  flag: string,
  areRead: (names: readonly string[]) => readonly boolean[],
): AsyncGenerator<Uint8Array> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetRead, parquetSchema } = await loadReader(
    file,
    flag,
  );
  try {
    const buffer = await asyncBufferFromFile(file);
    const metadata = await parquetMetadataAsync(buffer);
    const schemas = parquetSchema(metadata).children.filter(({ children }) => children.length === 0);
    // pandas stores an unnamed index under this name.
    const heads = schemas.map(({ element: { name } }) => (name === '__index_level_0__' ? 'time' : name));
    yield new TextEncoder().encode(`${heads.map(formatValue).join()}\n`);
    const isRead = areRead(heads);
    const names = schemas.flatMap(({ element }, at) => (isRead[at] ? [element.name] : []));
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const columns = schemas.map((schema) => new Column(schema));
      const byName = new Map(columns.map((column) => [column.name, column]));
      await parquetRead({
        ...{ file: buffer, metadata, columns: names, rowStart, rowEnd, parsers: milliseconds },
        onChunk: (chunk) => byName.get(chunk.columnName)?.add(chunk),
      });
      yield* writeLines(columns, rowStart, rowEnd);
      rowStart = rowEnd;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw explainUnreadable(file, flag, error);
    const reason = (error as Error).message;
    throw new UsageError(
      `${flag}: ${file}: it cannot be read as Parquet: ${reason}; give it anew, or as CSV`,
    );
  }
}

/** Reads times as milliseconds: a million dates would take a hundred megabytes. */
const milliseconds = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: (count: bigint) => Number(count) / 1e3,
  timestampFromNanoseconds: (count: bigint) => Number(count / 1000n) / 1e3,
  dateFromDays: (days: number) => days * 86_400_000,
};

type Chunk = {
  readonly columnName: string;
  readonly columnData: ArrayLike<unknown>;
  readonly rowStart: number;
};

/** A column of a group of rows, in the pieces that it was read in. */
class Column {
  readonly name: string;
  readonly #write: (value: unknown) => string;
  readonly #chunks: Chunk[] = [];

  constructor(schema: Schema) {
    this.name = schema.element.name;
    this.#write = isTime(schema) ? formatTime : formatValue;
  }

  add(chunk: Chunk): void {
    this.#chunks.push(chunk);
  }

  /** Formats the value of a row as a cell; rows must be in order, and earlier pieces are dropped. */
  cell(row: number): string {
    let [chunk] = this.#chunks;
    while (chunk && row >= chunk.rowStart + chunk.columnData.length) {
      this.#chunks.shift();
      [chunk] = this.#chunks;
    }
    return this.#write(chunk?.columnData[row - chunk.rowStart]);
  }
}

/** Writes the rows from `from` up to `to` as lines of CSV. */
function* writeLines(columns: readonly Column[], from: number, to: number): Generator<Uint8Array> {
  for (let begin = from; begin < to; begin += mostRows) {
    let text = '';
    for (let row = begin; row < Math.min(begin + mostRows, to); row++) {
      for (const [at, column] of columns.entries())
        text += at === 0 ? column.cell(row) : `,${column.cell(row)}`;
      text += '\n';
    }
    yield new TextEncoder().encode(text);
  }
}

function isTime({ element: { type, converted_type: old, logical_type: logical } }: Schema): boolean {
  const kind = logical?.type ?? old ?? '';
  return /^(TIMESTAMP|DATE)/.test(kind) || (type === 'INT96' && kind === '');
}

function formatTime(value: unknown): string {
  return typeof value === 'number' ? new Date(value).toISOString().replace('.000Z', 'Z') : '';
}

function formatValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value === undefined || value === null) return '';
  return `"${String(value)
    .replaceAll('"', '""')
    .replaceAll(/[\r\n]/g, ' ')}"`;
}

/** Loads an optional peer dependency, which only Parquet needs. */
async function loadReader(file: string, flag: string): Promise<Reader> {
  try {
    import.meta.resolve('hyparquet');
  } catch {
    throw new UsageError(
      `${flag}: ${file}: Parquet takes the package hyparquet, which is not installed: npm install hyparquet`,
    );
  }
  return import('hyparquet');
}
