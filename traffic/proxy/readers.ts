import type { Socket } from 'node:net';

/**
 * The clients' connections, of which those of a full address are not read: what one read brings is a thousand requests, and
 * all that can be read at a time would be more than there is room for.
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
    // Node is about to read from it, and would go on.
    process.nextTick(() => {
      if (this.#isFull(address)) this.#rest(socket, address);
    });
  }

  /** @param isBetween whether nothing of a request's body is still to come on a connection */
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
