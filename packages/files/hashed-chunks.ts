import { createHash } from 'node:crypto';

type Chunks = AsyncIterable<Uint8Array>;

/** The bytes of a file that are read once and hashed meanwhile. */
export class HashedChunks {
  readonly #hash = createHash('sha256');
  #sum: string | undefined;

  /** The SHA-256 of all bytes; undefined before they were read to the end. */
  get sum(): string | undefined {
    return this.#sum;
  }

  /**
   * Passes the bytes on. If their reader stops early, as that of a zip does, and `isFile`, reads the others to hash
   * them.
   */
  async *pass(chunks: Chunks, isFile: boolean): AsyncGenerator<Uint8Array> {
    const all = chunks[Symbol.asyncIterator]();
    let isOver = false;
    const next = async (): Promise<Uint8Array | undefined> => {
      const { done, value } = await all.next();
      isOver = done === true;
      if (isOver) return undefined;
      this.#hash.update(value);
      return value;
    };
    try {
      for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
    } finally {
      while (!isOver && isFile) await next();
      if (isOver) this.#sum ??= this.#hash.digest('hex');
      await all.return?.();
    }
  }
}
