import type { ProxyLimits } from './limits.ts';

type Client = { under: number; readonly waiting: Set<() => void> };

/** Places at the upstream. Waiting clients get them in turn, however many requests each of them has waiting. */
export class UpstreamSlots {
  readonly #clients = new Map<string, Client>();
  readonly #perClient: number;
  #free: number;

  constructor({ upstream, clientRequests }: Pick<ProxyLimits, 'upstream' | 'clientRequests'>) {
    this.#free = upstream;
    this.#perClient = clientRequests;
  }

  /** Calls `begin` as soon as there is a place, which `leave` returns. */
  enter(name: string, begin: () => void): void {
    const client = this.#clients.get(name) ?? { under: 0, waiting: new Set() };
    this.#clients.set(name, client);
    client.waiting.add(begin);
    this.#admit(client);
  }

  leave(name: string): void {
    const client = this.#clients.get(name);
    if (!client) return;
    client.under -= 1;
    this.#free += 1;
    this.#putLast(name, client);
    for (const [client, waiting] of this.#clients) {
      if (!this.#hasTurn(waiting)) continue;
      this.#putLast(client, waiting);
      this.#admit(waiting);
      break;
    }
    this.#forget(name, client);
  }

  /** Ends the wait for a place. */
  withdraw(name: string, begin: () => void): void {
    const client = this.#clients.get(name);
    client?.waiting.delete(begin);
    if (client) this.#forget(name, client);
  }

  #hasTurn({ under, waiting }: Client): boolean {
    return waiting.size > 0 && this.#free > 0 && under < this.#perClient;
  }

  #admit(client: Client): void {
    const [begin] = client.waiting;
    if (begin === undefined || !this.#hasTurn(client)) return;
    client.waiting.delete(begin);
    client.under += 1;
    this.#free -= 1;
    begin();
  }

  /** Puts a client behind the others. */
  #putLast(name: string, client: Client): void {
    this.#clients.delete(name);
    this.#clients.set(name, client);
  }

  #forget(name: string, { under, waiting }: Client): void {
    if (under === 0 && waiting.size === 0) this.#clients.delete(name);
  }
}
