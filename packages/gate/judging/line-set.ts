/** Lines of a file, one bit each. */
export class LineSet {
  #bits = new Uint8Array(1024);

  /** Adds the lines from one to another, inclusive. */
  add({ line, lastLine = line }: { readonly line: number; readonly lastLine?: number }): void {
    const bytes = (lastLine >> 3) + 1;
    if (bytes > this.#bits.length) {
      const grown = new Uint8Array(2 * bytes);
      grown.set(this.#bits);
      this.#bits = grown;
    }
    for (let at = line; at <= lastLine; at++)
      this.#bits[at >> 3] = (this.#bits[at >> 3] as number) | (1 << (at & 7));
  }

  has(line: number): boolean {
    return ((this.#bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0;
  }
}
