/** A body as the pieces that it is kept in: to join them for each answer costs more than to read them. */
export class Pieces {
  readonly all: readonly Buffer[];
  readonly length: number;

  constructor(all: readonly Buffer[]) {
    this.all = all;
    this.length = all.reduce((sum, each) => sum + each.length, 0);
  }

  static of(text: string): Pieces {
    return new Pieces([Buffer.from(text)]);
  }

  /** Bytes that are held in memory as long as it is: those of all that its pieces were cut from. */
  get held(): number {
    return this.all.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  }

  whole(): Buffer {
    return Buffer.concat(this.all);
  }

  toString(): string {
    return this.whole().toString();
  }
}
