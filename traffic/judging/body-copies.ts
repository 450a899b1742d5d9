import type { BodyCopying, ReasonUnjudged } from '../onlooker.ts';
import { mostBodyBytes } from './limits.ts';

/** Memory for copies of bodies, shared by all concurrent exchanges. */
export class CopyRoom {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** Reserves bytes; returns false if there are not enough. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** The copy of one body; nothing is kept of a body that is too large. */
export class BodyCopy implements BodyCopying {
  readonly #room: CopyRoom;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #trouble: ReasonUnjudged | undefined;

  constructor(room: CopyRoom) {
    this.#room = room;
  }

  add(chunk: Uint8Array): boolean {
    if (this.#trouble !== undefined) return false;
    if (this.#bytes + chunk.byteLength > mostBodyBytes) this.#giveUp('too large');
    else if (!this.#room.take(chunk.byteLength)) this.#giveUp('overload');
    else {
      this.#bytes += chunk.byteLength;
      this.#chunks.push(chunk);
    }
    return this.#trouble === undefined;
  }

  end(): Uint8Array<ArrayBuffer> | ReasonUnjudged {
    if (this.#trouble !== undefined) return this.#trouble;
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.byteLength;
    }
    this.#chunks = [];
    return whole;
  }

  drop(): void {
    this.#room.give(this.#bytes);
    this.#bytes = 0;
    this.#chunks = [];
  }

  #giveUp(reason: ReasonUnjudged): void {
    this.drop();
    this.#trouble = reason;
  }
}
