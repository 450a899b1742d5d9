import { IncomingMessage } from 'node:http';
import { TransferError } from './failure.ts';

/** Shorter pieces are joined: each costs some hundred bytes and its read's whole memory if it is kept by itself. */
const tinyBytes = 1024;

const blockBytes = 16 * 1024;

/** Bytes that keep no memory but their own, however small the pieces are in which they come. */
export class JoinedBytes {
  readonly #whole: Uint8Array[] = [];
  #block = new Uint8Array(0);
  #filled = 0;

  add(piece: Uint8Array): void {
    if (piece.byteLength >= tinyBytes) {
      this.#seal();
      this.#whole.push(piece);
      return;
    }
    if (this.#filled + piece.byteLength > this.#block.byteLength) this.#open();
    this.#block.set(piece, this.#filled);
    this.#filled += piece.byteLength;
  }

  /** Returns all bytes in a buffer of its own, and holds none any longer. */
  take(): Buffer<ArrayBuffer> {
    this.#seal();
    const pieces = this.#whole.splice(0);
    const whole = Buffer.from(new ArrayBuffer(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)));
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return whole;
  }

  /** Begins with a small block, because most bodies are small. */
  #open(): void {
    const bytes = Math.min(blockBytes, Math.max(tinyBytes, 2 * this.#block.byteLength));
    this.#seal();
    this.#block = new Uint8Array(bytes);
  }

  #seal(): void {
    if (this.#filled > 0) this.#whole.push(this.#block.subarray(0, this.#filled));
    this.#block = this.#block.subarray(this.#filled);
    this.#filled = 0;
  }
}

/** Pieces of one turn of the event loop that are passed on singly; no ordinary message has more small ones. */
const singlePieces = 64;

/** Bytes and pieces of one message in one turn of the event loop, after which others have theirs: about one read. */
const turnBytes = 32 * 1024;
const turnPieces = 1024;

/** Messages in many small pieces that go on in one turn; a read of each takes ten milliseconds. */
const messagesOfTurn = 4;

const waiting: (() => void)[] = [];

/** Calls `goOn` in a turn of its own, a few messages at a time. */
function waitForTurn(goOn: () => void): void {
  if (waiting.push(goOn) === 1) setImmediate(letSomeGoOn);
}

function letSomeGoOn(): void {
  for (const goOn of waiting.splice(0, messagesOfTurn)) goOn();
  if (waiting.length > 0) setImmediate(letSomeGoOn);
}

/** This many pieces may have any size; beyond, they have at least eight bytes on average. */
const freePieces = 8192;
const leastAverage = 8;

/**
 * Bounds what the pieces of a message's body cost, before anything buffers them: small ones that come together are
 * joined, a message that comes fast lets others have their turns, and one in absurdly many pieces ends with an error.
 * Call it when the head has come.
 * @param onMany called when more small pieces came at once than any ordinary message has
 */
export function boundPieces(message: IncomingMessage, onMany?: () => void): void {
  // With functions of its own, V8 keeps a message until it collects all memory.
  Object.assign(message, { [bounds]: new PieceBounds(onMany), push, _read: read });
}

const bounds = Symbol('bounds');

type BoundedMessage = IncomingMessage & { readonly [bounds]: PieceBounds };

function push(this: BoundedMessage, piece: Buffer | null): boolean {
  return this[bounds].push(this, piece);
}

function read(this: BoundedMessage, size: number): void {
  this[bounds].read(this, size);
}

const plain = IncomingMessage.prototype;

type Turn = { pieces: number; bytes: number; isWanted: boolean };

function isOver({ pieces, bytes }: Turn): boolean {
  return bytes > turnBytes || pieces > turnPieces;
}

class PieceBounds {
  readonly #joined = new JoinedBytes();
  readonly #onMany: (() => void) | undefined;
  #pieces = 0;
  #bytes = 0;
  #turn: Turn | undefined;

  constructor(onMany: (() => void) | undefined) {
    this.#onMany = onMany;
  }

  push(message: IncomingMessage, piece: Buffer | null): boolean {
    if (message.destroyed) return false;
    if (piece === null) {
      this.#flush(message);
      return plain.push.call(message, null);
    }
    this.#pieces += 1;
    this.#bytes += piece.byteLength;
    if (this.#pieces > freePieces && this.#bytes < leastAverage * this.#pieces) {
      message.destroy(
        new TransferError('protocol', `the body comes in ${this.#pieces} pieces for ${this.#bytes} bytes`),
      );
      return false;
    }
    return this.#pass(message, piece);
  }

  read(message: IncomingMessage, size: number): void {
    if (this.#turn !== undefined && isOver(this.#turn)) this.#turn.isWanted = true;
    else plain._read.call(message, size);
  }

  #pass(message: IncomingMessage, piece: Buffer): boolean {
    const turn = this.#turn ?? this.#begin(message);
    turn.pieces += 1;
    turn.bytes += piece.byteLength;
    if (turn.pieces === turnPieces) this.#onMany?.();
    if (turn.pieces > singlePieces && piece.byteLength < tinyBytes) {
      this.#joined.add(piece);
      return !isOver(turn);
    }
    this.#flush(message);
    return plain.push.call(message, piece) && !isOver(turn);
  }

  #begin(message: IncomingMessage): Turn {
    const turn = { pieces: 0, bytes: 0, isWanted: false };
    this.#turn = turn;
    setImmediate(() => {
      this.#turn = undefined;
      if (message.destroyed) return;
      if (!this.#flush(message)) message.socket.pause();
      else if (turn.isWanted && turn.pieces > turnPieces) waitForTurn(() => goOn(message));
      else if (turn.isWanted) plain._read.call(message, 0);
    });
    return turn;
  }

  #flush(message: IncomingMessage): boolean {
    const joined = this.#joined.take();
    return joined.byteLength === 0 || plain.push.call(message, joined);
  }
}

function goOn(message: IncomingMessage): void {
  if (!message.destroyed) plain._read.call(message, 0);
}
