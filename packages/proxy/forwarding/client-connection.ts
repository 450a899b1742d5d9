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

  /** The requests that came before earlier ones were answered. */
  get waiting(): number {
    return this.#waiting.length;
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

/** Connections of a slowed address that are read in one turn of the event loop, and how long it stays slowed, in ms. */
const readersOfTurn = 4;
const slowMs = 1000;

/**
 * The connections of clients, without reading those of an address at its limit: one read may bring a thousand requests,
 * and simultaneous reads more than there is room for.
 */
export class Readers {
  readonly #all = new Map<Socket, string>();
  readonly #resting = new Map<Socket, string>();
  /** By address, the time until which it is slowed. */
  readonly #slowed = new Map<string, number>();
  readonly #arrived = new Set<string>();
  readonly #isFull: (address: string) => boolean;

  constructor(isFull: (address: string) => boolean) {
    this.#isFull = isFull;
  }

  add(socket: Socket): void {
    const { remoteAddress: address = '' } = socket;
    this.#all.set(socket, address);
    if (this.#slowed.has(address)) this.#arrived.add(address);
    socket.once('close', () => {
      this.#all.delete(socket);
      this.#resting.delete(socket);
    });
    // Node is about to read from it, and would continue.
    process.nextTick(() => {
      if (this.#mustRest(address)) this.#rest(socket, address);
    });
  }

  /** @param isBetween returns whether a connection is between requests, with no part of a body to come */
  restWhereFull(isBetween: (socket: Socket) => boolean): void {
    for (const [socket, address] of this.#all) {
      if (!this.#resting.has(socket) && this.#mustRest(address) && isBetween(socket))
        this.#rest(socket, address);
    }
  }

  /**
   * Lets the connections of an address that are between requests take turns, a few at a time. One connection is accepted
   * in each turn of the event loop, in the order of all addresses: while its own come in, none of them is read.
   */
  slow(address: string, isBetween: (socket: Socket) => boolean): void {
    const isNew = !this.#slowed.has(address);
    this.#slowed.set(address, performance.now() + slowMs);
    this.restWhereFull(isBetween);
    if (isNew) setImmediate(() => this.#wakeSome(address));
  }

  #wakeSome(address: string): void {
    const until = this.#slowed.get(address) ?? 0;
    const isLast = performance.now() > until;
    const resting = [...this.#resting.keys()].filter((socket) => this.#resting.get(socket) === address);
    if (isLast && resting.length === 0) this.#slowed.delete(address);
    if (!this.#slowed.has(address)) return;
    if (!this.#arrived.delete(address) && !this.#isFull(address))
      for (const socket of resting.splice(0, readersOfTurn)) this.#wake(socket);
    if (resting.length === 0 || this.#isFull(address)) setTimeout(() => this.#wakeSome(address), 10).unref();
    else setImmediate(() => this.#wakeSome(address));
  }

  #wake(socket: Socket): void {
    this.#resting.delete(socket);
    socket.resume();
  }

  wakeWhereFree(): void {
    for (const [socket, address] of this.#resting) {
      if (!this.#mustRest(address)) this.#wake(socket);
    }
  }

  #mustRest(address: string): boolean {
    return this.#slowed.has(address) || this.#isFull(address);
  }

  #rest(socket: Socket, address: string): void {
    this.#resting.set(socket, address);
    socket.pause();
  }
}
