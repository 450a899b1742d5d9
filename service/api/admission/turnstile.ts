import type { Socket } from 'node:net';
import { networkOf, plainAddress, type TrustedProxies } from './client-address.ts';

/** Counts the open connections of each client, so that none takes those of all others; a trusted proxy has no limit. */
export class Turnstile {
  readonly #most: number;
  readonly #trusted: TrustedProxies;
  readonly #open = new Map<string, number>();

  constructor(most: number, trusted: TrustedProxies) {
    this.#most = most;
    this.#trusted = trusted;
  }

  /** Lets a connection in, or tells that its client has too many. */
  admits(socket: Socket): boolean {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (address === undefined) return false;
    if (this.#trusted.has(address)) return true;
    const client = networkOf(address);
    const open = this.#open.get(client) ?? 0;
    if (open >= this.#most) return false;
    this.#open.set(client, open + 1);
    socket.once('close', () => this.#leave(client));
    return true;
  }

  #leave(client: string): void {
    const open = (this.#open.get(client) ?? 0) - 1;
    if (open > 0) this.#open.set(client, open);
    else this.#open.delete(client);
  }
}
