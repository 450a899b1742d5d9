/** What was read, until the version of that which it was read from is another one. */
export class Remembered<Value> {
  readonly #version: () => unknown;
  readonly #values = new Map<string, Value>();
  #at: unknown;

  constructor(version: () => unknown) {
    this.#version = version;
  }

  /** The value under a name, or what `read` gives now; what is not there is looked for each time. */
  get(name: string, read: () => Value | undefined): Value | undefined {
    const version = this.#version();
    if (version !== this.#at) this.forget();
    this.#at = version;
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const value = read();
    if (value !== undefined && this.#values.size < mostValues) this.#values.set(name, value);
    return value;
  }

  forget(): void {
    this.#values.clear();
  }
}

const mostValues = 10_000;
