import type { TextPlace } from './json-fault.ts';

/** A place in the text of a part from which so many UTF-16 units were left out. */
type Cut = readonly [at: number, units: number];

/** A part of a recording as text: an entry, or what lies before or behind all of them. */
export type HarPart = {
  readonly text: string;
  readonly start: TextPlace;
  readonly cuts: readonly Cut[];
};

/** Returns the place in the file of a UTF-16 unit of a part. */
export function placeWithin({ text, start, cuts }: HarPart, index: number): TextPlace {
  let { line } = start;
  let lineFrom = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', lineFrom)) {
    line++;
    lineFrom = at + 1;
  }
  const leftOut = cuts.reduce((sum, [at, units]) => (at >= lineFrom && at <= index ? sum + units : sum), 0);
  return { line, column: (lineFrom === 0 ? start.column : 1) + index - lineFrom + leftOut };
}

/** Gathers the bytes of one part at a time from chunks, each of which is valid until the next one. */
export class PartBytes {
  #held = Buffer.allocUnsafe(1 << 16);
  #length = 0;
  #chunk: Uint8Array = new Uint8Array(0);
  /** The part goes on here in the chunk. */
  #from = 0;
  #start: TextPlace = { line: 1, column: 1 };
  #cuts: Cut[] = [];
  /** The UTF-16 units of a text that is being left out. */
  #leftOut: number | undefined;

  /** The bytes that are held. */
  get length(): number {
    return this.#length;
  }

  /** Goes on with the next chunk; the one before must be kept to its end. */
  open(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#from = 0;
  }

  /** Returns the place within the part of a place in the chunk. */
  offset(at: number): number {
    return this.#length + at - this.#from;
  }

  /** Holds the chunk up to a place, or counts what is left out of it. */
  keep(to: number): void {
    const bytes = this.#chunk.subarray(this.#from, to);
    this.#from = to;
    if (this.#leftOut === undefined) this.#append(bytes);
    else this.#leftOut += countUnits(bytes);
  }

  /** Leaves out what is held from a place, and what follows until `resume`. */
  leaveOut(from: number): void {
    if (this.#leftOut !== undefined) return;
    this.#leftOut = countUnits(this.#held.subarray(from, this.#length));
    this.#length = from;
  }

  /** Ends what is left out before a place in the chunk. */
  resume(at: number): void {
    if (this.#leftOut === undefined) return;
    this.keep(at);
    this.#cuts.push([this.text(0, this.#length).length, this.#leftOut]);
    this.#leftOut = undefined;
  }

  text(from: number, to: number): string {
    return this.#held.toString('utf8', from, to);
  }

  /** Ends the part at a place in the chunk, where the next one starts. */
  take(to: number): HarPart {
    this.resume(to);
    this.keep(to);
    const part = { text: this.text(0, this.#length), start: this.#start, cuts: this.#cuts };
    this.#start = placeWithin(part, part.text.length);
    this.#cuts = [];
    this.#length = 0;
    return part;
  }

  /** Drops the byte with which the chunk goes on: a comma between two parts. */
  skipComma(): void {
    this.#from++;
    this.#start = { ...this.#start, column: this.#start.column + 1 };
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#held.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.#held.length));
      this.#held.copy(grown, 0, 0, this.#length);
      this.#held = grown;
    }
    this.#held.set(bytes, this.#length);
    this.#length = length;
  }
}

/** Counts UTF-16 units: each character has one byte that continues none, and one of four bytes has two units. */
function countUnits(bytes: Uint8Array): number {
  let units = 0;
  for (const byte of bytes) units += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
  return units;
}
