const slabBits = 20;
const slabBytes = 1 << slabBits;

/** Keeps the bytes of a document in pieces of one size, since a buffer that grows would hold them twice. */
export class HeldBytes {
  length = 0;
  readonly #slabs: Uint8Array[] = [];

  /** Copies a chunk, which is valid only until the next one is read. */
  append(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const from = this.length & (slabBytes - 1);
      if (from === 0) this.#slabs.push(new Uint8Array(slabBytes));
      const piece = chunk.subarray(at, at + slabBytes - from);
      this.#slabs.at(-1)?.set(piece, from);
      this.length += piece.length;
      at += piece.length;
    }
  }

  /** Returns the byte at a position, and 0 behind the last one. */
  byte(at: number): number {
    return this.#slabs[at >>> slabBits]?.[at & (slabBytes - 1)] ?? 0;
  }

  /** Returns the bytes from a position up to another, copied. */
  slice(from: number, to: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(to, this.length) - from));
    for (let at = 0; at < bytes.length; ) {
      const begin = (from + at) & (slabBytes - 1);
      const slab = this.#slabs[(from + at) >>> slabBits] as Uint8Array;
      const piece = slab.subarray(begin, Math.min(slabBytes, begin + bytes.length - at));
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  /** Yields the bytes in the order in which they came, without what fills the last piece. */
  *pieces(): Generator<Uint8Array> {
    for (const [at, slab] of this.#slabs.entries()) yield slab.subarray(0, this.length - at * slabBytes);
  }
}
