import type { FileHandle } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { checkPages } from './parquet-pages.ts';
import { explainUnreadable } from './read-file.ts';
import { UsageError } from './usage-error.ts';

type Reader = typeof import('hyparquet');
type Group = Awaited<ReturnType<Reader['parquetMetadataAsync']>>['row_groups'][number];
type Schema = ReturnType<Reader['parquetSchema']>['children'][number];

/** Rows that are written at once. */
const mostRows = 4096;

/** Rows of a group: all of its values are in memory at once. */
const mostInGroup = 1 << 23;

/** Rows for each byte of a file: candles have distinct times, and so never as many. */
const mostForByte = 64;

/** Bytes of the description at the end. */
const mostDescribed = 1 << 24;

/** Returns whether an open file begins like Parquet; does not read from a pipe. */
export async function isParquet(opened: FileHandle): Promise<boolean> {
  if (!(await opened.stat()).isFile()) return false;
  const { buffer } = await opened.read(new Uint8Array(4), 0, 4, 0);
  return new TextDecoder('latin1').decode(buffer) === 'PAR1';
}

/**
 * Reads a Parquet file as lines of CSV, one group of rows after the other. Times are ISO 8601; nested columns are
 * omitted. `areRead` returns for the names of the others which columns are read; other cells stay empty.
 * @throws UsageError with the flag, for a file that cannot be read or if hyparquet is not installed
 */
export async function* readParquetLines(
  opened: FileHandle,
  file: string,
  flag: string,
  areRead: (names: readonly string[]) => readonly boolean[],
): AsyncGenerator<Uint8Array> {
  const { parquetMetadataAsync, parquetRead, parquetSchema } = await loadReader(file, flag);
  try {
    const buffer = new OpenBuffer(opened, (await opened.stat()).size);
    await buffer.checkDescription();
    const metadata = await parquetMetadataAsync(buffer);
    checkRows(metadata.row_groups, buffer.byteLength);
    const schemas = parquetSchema(metadata).children.filter(({ children }) => children.length === 0);
    // pandas stores an unnamed index under this name.
    const heads = schemas.map(({ element: { name } }) => (name === '__index_level_0__' ? 'time' : name));
    yield new TextEncoder().encode(`${heads.map(formatValue).join()}\n`);
    const isRead = areRead(heads);
    const names = schemas.flatMap(({ element }, at) => (isRead[at] ? [element.name] : []));
    for (const group of metadata.row_groups) {
      const rowEnd = Number(group.num_rows);
      await checkGroup(group, names, buffer);
      const columns = schemas.map((schema) => new Column(schema));
      const byName = new Map(columns.map((column) => [column.name, column]));
      await parquetRead({
        ...{ file: buffer, metadata: { ...metadata, row_groups: [group] }, columns: names },
        ...{ rowStart: 0, rowEnd, parsers: milliseconds, compressors },
        onChunk: (chunk) => byName.get(chunk.columnName)?.add(chunk),
      });
      yield* writeLines(columns, rowEnd);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw explainUnreadable(file, flag, error);
    const reason = (error as Error).message;
    throw new UsageError(
      `${flag}: ${file}: it cannot be read as Parquet: ${reason}; give it anew, or as CSV`,
    );
  }
}

/** The bytes of an open file; refuses ranges that it has not. */
class OpenBuffer {
  readonly byteLength: number;
  readonly #opened: FileHandle;

  constructor(opened: FileHandle, byteLength: number) {
    this.#opened = opened;
    this.byteLength = byteLength;
  }

  async slice(start: number, end = this.byteLength): Promise<ArrayBuffer> {
    if (!(start >= 0 && start <= end && end <= this.byteLength))
      throw new Error(`it claims bytes ${start} to ${end} of ${this.byteLength}`);
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await this.#opened.read(bytes, 0, bytes.length, start);
    if (bytesRead < bytes.length) throw new Error('it became shorter');
    return bytes.buffer;
  }

  async checkDescription(): Promise<void> {
    const end = Math.max(this.byteLength - 8, 0);
    const described = new DataView(await this.slice(end, end + 4)).getUint32(0, true);
    if (described > mostDescribed) throw new Error(`it claims ${described} bytes of description`);
  }
}

/** Throws for more rows than the bytes of the file can hold, or than a group may have. */
function checkRows(groups: readonly Group[], bytes: number): void {
  let rows = 0;
  for (const { num_rows: count } of groups) {
    rows += Number(count);
    if (count < 0 || count > mostInGroup)
      throw new Error(`a group claims ${count} rows of at most ${mostInGroup}`);
  }
  if (rows > bytes * mostForByte) throw new Error(`it claims ${rows} rows in ${bytes} bytes`);
}

async function checkGroup({ columns, num_rows: count }: Group, names: readonly string[], buffer: OpenBuffer) {
  for (const { meta_data: meta } of columns) {
    if (!meta || !names.includes(meta.path_in_schema[0] ?? '')) continue;
    const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
    const bytes = new Uint8Array(await buffer.slice(start, start + Number(meta.total_compressed_size)));
    checkPages({ bytes, rows: Number(count), codec: meta.codec });
  }
}

/** Unpacks by Node what hyparquet does not, to no more bytes than the head of the page claims. */
const compressors = {
  ZSTD: (bytes: Uint8Array, length: number) => zstdDecompressSync(bytes, { maxOutputLength: length + 1 }),
  GZIP: (bytes: Uint8Array, length: number) => gunzipSync(bytes, { maxOutputLength: length + 1 }),
  BROTLI: (bytes: Uint8Array, length: number) => brotliDecompressSync(bytes, { maxOutputLength: length + 1 }),
};

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

/** Writes the rows of a group as lines of CSV. */
function* writeLines(columns: readonly Column[], rows: number): Generator<Uint8Array> {
  for (let begin = 0; begin < rows; begin += mostRows) {
    let text = '';
    for (let row = begin; row < Math.min(begin + mostRows, rows); row++) {
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
