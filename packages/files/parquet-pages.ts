/** A part of a column as the file's end describes it. */
export type ColumnPart = {
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** `UNCOMPRESSED`, `SNAPPY`, `ZSTD`. */
  readonly codec: string;
};

/** Most bytes that one byte of Snappy unpacks to: a copy of 64 bytes takes three. */
const mostUnpacked = 32;

/** Bytes of a page that its packing does not bound: of each row, since a number or time has 12, and of a page of few. */
const [mostOfRow, mostOfFew] = [16, 1 << 20];

/**
 * Throws for a page that claims more values than its group has rows, or more bytes than its own can unpack to: the
 * reader makes room for what a page claims before it reads it. Takes flat columns.
 */
export function checkPages({ bytes, rows, codec }: ColumnPart): void {
  const reader = new CompactReader(bytes);
  let values = 0;
  while (reader.at < bytes.length - 1) {
    const page = reader.readNumbers();
    const [unpacked = 0, packed = 0] = [page.get('2'), page.get('3')];
    const left = bytes.length - reader.at;
    if (packed < 0 || packed > left) throw new Error(`a page claims ${packed} bytes of ${left}`);
    const ofRows = codec === 'SNAPPY' ? 0 : mostOfRow * rows + mostOfFew;
    const most = codec === 'UNCOMPRESSED' ? packed : Math.max(mostUnpacked * (packed + 1), ofRows);
    if (unpacked < 0 || unpacked > most)
      throw new Error(`a page of ${packed} bytes claims to unpack to ${unpacked}`);
    const entries = page.get('7.1') ?? 0;
    if (entries < 0 || entries > 8 * unpacked)
      throw new Error(`a dictionary of ${unpacked} bytes claims ${entries} values`);
    const claimed = page.get('5.1') ?? page.get('8.1') ?? 0;
    values += claimed;
    if (claimed < 0 || values > rows)
      throw new Error(`a page claims ${claimed} values of a group of ${rows} rows`);
    reader.at += packed;
  }
}

/** Kinds of fields in Thrift's compact protocol. */
const [yes, no, byte, double, binary, list, set, map, struct] = [1, 2, 3, 7, 8, 9, 10, 11, 12];
const deepest = 8;

/** Reads the numbers of Thrift structs in the compact protocol, and skips all else. */
class CompactReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the numbers of a struct by the ids of their fields, joined by dots. */
  readNumbers(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    this.#struct('', found, 0);
    return found;
  }

  #struct(path: string, found: Map<string, number>, depth: number): void {
    if (depth > deepest) throw new Error('the head of a page is too deep');
    let id = 0;
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      id = head >> 4 === 0 ? this.#signed() : id + (head >> 4);
      this.#value(head & 15, `${path}${id}`, found, depth);
    }
  }

  #value(kind: number, path: string, found: Map<string, number>, depth: number): void {
    if (kind === yes || kind === no) return;
    if (kind === byte) this.at++;
    else if (kind < double) found.set(path, this.#signed());
    else if (kind === double) this.at += 8;
    else if (kind === binary) this.#skip(this.#unsigned());
    else if (kind === struct) this.#struct(`${path}.`, found, depth + 1);
    else if (kind === list || kind === set || kind === map)
      throw new Error('the head of a page holds a list');
    else throw new Error('the head of a page is damaged');
  }

  #skip(bytes: number): void {
    this.at += bytes;
  }

  #byte(): number {
    const next = this.#bytes[this.at++];
    if (next === undefined) throw new Error('a page is cut off');
    return next;
  }

  #unsigned(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 50; factor *= 128) {
      const next = this.#byte();
      value += (next & 127) * factor;
      if (next < 128) return value;
    }
    throw new Error('a number of a page is too large');
  }

  #signed(): number {
    const value = this.#unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
