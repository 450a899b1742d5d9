import { JoinedBytes } from '@candleproof/client/send/pieces';
import type { BodyCopying, ReasonUnjudged } from '../traffic-observer.ts';
import { maxBodyBytes } from './judging-limits.ts';

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
  #joined = new JoinedBytes();
  #bytes = 0;
  #trouble: ReasonUnjudged | undefined;

  constructor(room: CopyRoom) {
    this.#room = room;
  }

  add(chunk: Uint8Array): boolean {
    if (this.#trouble !== undefined) return false;
    if (this.#bytes + chunk.byteLength > maxBodyBytes) this.#giveUp('too large');
    else if (!this.#room.take(chunk.byteLength)) this.#giveUp('overload');
    else {
      this.#bytes += chunk.byteLength;
      this.#joined.add(chunk);
    }
    return this.#trouble === undefined;
  }

  end(): Uint8Array<ArrayBuffer> | ReasonUnjudged {
    if (this.#trouble !== undefined) return this.#trouble;
    return this.#joined.take();
  }

  drop(): void {
    this.#room.give(this.#bytes);
    this.#bytes = 0;
    this.#joined = new JoinedBytes();
  }

  #giveUp(reason: ReasonUnjudged): void {
    this.drop();
    this.#trouble = reason;
  }
}
