import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A client's connection. Its requests take turns: if several were sent at once (pipelined), the later ones wait, and no
 * more are read meanwhile.
 */
export class ClientConnection {
  readonly address: string;
  readonly #socket: Socket;
  readonly #waiting: (() => void)[] = [];
  #held = 0;
  #isPaused = false;
  #newest: ServerResponse | undefined;

  /** @param onClose receives the number of requests held when the connection ends */
  constructor(socket: Socket, onClose: (held: number) => void) {
    this.#socket = socket;
    this.address = socket.remoteAddress ?? '';
    socket.once('close', () => {
      this.#waiting.length = 0;
      onClose(this.#held);
      this.#held = 0;
    });
    socket.on('resume', () => this.#rest());
  }

  /** Returns whether the newest request is complete. */
  get isWhole(): boolean {
    return this.#newest?.req.complete ?? true;
  }

  /** Returns whether there is one open request, and its answer has not begun. */
  get isUnanswered(): boolean {
    return this.#held === 1 && this.#newest?.headersSent === false;
  }

  /** Returns whether the newest request is fully answered. */
  get isAnswered(): boolean {
    return this.#newest?.writableEnded ?? false;
  }

  /** Calls `begin` when all earlier requests are answered. */
  take(response: ServerResponse, begin: () => void): void {
    this.#newest = response;
    this.#held += 1;
    if (this.#held > 1) {
      this.#waiting.push(begin);
      this.#rest();
    } else begin();
  }

  /** Calls `act` when all requests are answered. */
  runWhenAnswered(act: () => void): void {
    if (this.#held > 0) this.#waiting.push(act);
    else act();
  }

  /** Called when the current answer has ended. Returns false if the connection had ended before. */
  end(): boolean {
    if (this.#held === 0) return false;
    this.#held -= 1;
    const next = this.#waiting.shift();
    if (this.#isPaused && this.#waiting.length === 0) {
      this.#isPaused = false;
      this.#socket.resume();
    }
    next?.();
    return true;
  }

  /** Pauses the socket after Node's callback, because Node resumes reading after each request. */
  #rest(): void {
    if (this.#waiting.length === 0) return;
    process.nextTick(() => {
      if (this.#waiting.length === 0) return;
      this.#isPaused = true;
      this.#socket.pause();
    });
  }
}

/**
 * The connections of clients, without reading those of an address at its limit: one read may bring a thousand requests,
 * and simultaneous reads more than there is room for.
 */
export class Readers {
  readonly #all = new Map<Socket, string>();
  readonly #resting = new Map<Socket, string>();
  readonly #isFull: (address: string) => boolean;

  constructor(isFull: (address: string) => boolean) {
    this.#isFull = isFull;
  }

  add(socket: Socket): void {
    const { remoteAddress: address = '' } = socket;
    this.#all.set(socket, address);
    socket.once('close', () => {
      this.#all.delete(socket);
      this.#resting.delete(socket);
    });
    // Node is about to read from it, and would continue.
    process.nextTick(() => {
      if (this.#isFull(address)) this.#rest(socket, address);
    });
  }

  /** @param isBetween returns whether a connection is between requests, with no part of a body to come */
  restWhereFull(isBetween: (socket: Socket) => boolean): void {
    for (const [socket, address] of this.#all) {
      if (!this.#resting.has(socket) && this.#isFull(address) && isBetween(socket))
        this.#rest(socket, address);
    }
  }

  wakeWhereFree(): void {
    for (const [socket, address] of this.#resting) {
      if (this.#isFull(address)) continue;
      this.#resting.delete(socket);
      socket.resume();
    }
  }

  #rest(socket: Socket, address: string): void {
    this.#resting.set(socket, address);
    socket.pause();
  }
}
