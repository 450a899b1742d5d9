import type { ProxyLimits } from './limits.ts';

type Held = { clients: number; requests: number };

/** The part of everything that one address may hold: it shuts no other out. */
const ofOneAddress = 1 / 2;

/** The connections and requests that clients hold, by their address and in all. */
export class Holdings {
  readonly #most: Held;
  readonly #all: Held = { clients: 0, requests: 0 };
  readonly #byAddress = new Map<string, Held>();

  constructor({ clients, requests }: Pick<ProxyLimits, keyof Held>) {
    this.#most = { clients, requests };
  }

  get all(): Readonly<Held> {
    return this.#all;
  }

  change(address: string, what: keyof Held, by: number): void {
    const held = this.#byAddress.get(address) ?? { clients: 0, requests: 0 };
    held[what] += by;
    this.#all[what] += by;
    if (held.clients === 0 && held.requests === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, held);
  }

  /** Returns the load of this address: its own share or the whole, whichever is fuller; 1 is the limit. */
  fullness(address: string, what: keyof Held): number {
    const share = this.#byAddress.get(address)?.[what] ?? 0;
    const most = this.#most[what];
    return Math.max(this.#all[what] / most, share / Math.ceil(most * ofOneAddress));
  }
}
