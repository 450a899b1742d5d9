/** Whole numbers from 0 to 2^53, seven bits a byte, the low ones first: small ones take one byte. */
export class ByteWriter {
  readonly #bytes: number[] = [];

  number(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes.push(128 + (rest % 128));
    this.#bytes.push(rest);
  }

  /** A list with its length. */
  numbers(values: readonly number[]): void {
    this.number(values.length);
    for (const value of values) this.number(value);
  }

  /** Writes a part behind its length, so that a reader may skip it. */
  part(write: (bytes: ByteWriter) => void): void {
    const inner = new ByteWriter();
    write(inner);
    this.number(inner.#bytes.length);
    for (const byte of inner.#bytes) this.#bytes.push(byte);
  }

  finished(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** Reads in the order of writing; zeros behind the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(): number {
    let [value, weight] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte % 128) * weight;
      if (byte < 128) return value;
      weight *= 128;
    }
  }

  numbers(): number[] {
    return Array.from({ length: this.number() }, () => this.number());
  }

  part(): ByteReader {
    const length = this.number();
    this.#at += length;
    return new ByteReader(this.#bytes.subarray(this.#at - length, this.#at));
  }
}
