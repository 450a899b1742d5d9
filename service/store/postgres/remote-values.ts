import { RecentlyUsed } from '../../recently-used.ts';

/** Thrown where what is read is still on its way: the reading begins anew once `coming` has ended. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
  readonly coming: Promise<void>;

  constructor(coming: Promise<void>) {
    super('still on its way');
    this.coming = coming;
  }
}

type Coming = { readonly version: number; readonly done: Promise<void> };

/**
 * Values from elsewhere, each as of a version of that which it was read from. One that is not there is fetched, once
 * for all who want it meanwhile.
 */
export class RemoteValues<Value> {
  readonly #kept: RecentlyUsed<{ readonly version: number; readonly value: Value }>;
  readonly #coming = new Map<string, Coming>();

  /** Keeps values of at most so much weight in all, each at least 1. */
  constructor(most: number, weigh: (value: Value) => number = () => 1) {
    this.#kept = new RecentlyUsed({ most, weigh: ({ value }) => 1 + weigh(value) });
  }

  /** The value as of `version` or later. Throws NotYet where it has to be fetched. */
  get(version: number, name: string, fetch: () => Promise<Value>): Value {
    const kept = this.#kept.get(name);
    if (kept && kept.version >= version) return kept.value;
    throw new NotYet(this.#fetched(version, name, fetch));
  }

  #fetched(version: number, name: string, fetch: () => Promise<Value>): Promise<void> {
    const before = this.#coming.get(name);
    if (before && before.version >= version) return before.done;
    const done = fetch()
      .then((value) => this.#kept.set(name, { version, value }))
      .finally(() => {
        if (this.#coming.get(name)?.done === done) this.#coming.delete(name);
      });
    this.#coming.set(name, { version, done });
    return done;
  }
}
