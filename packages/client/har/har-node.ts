import { OneLineError } from '@candleproof/files/usage-error';
/** A value of a HAR file together with its place, so that every error can name it. */
export class HarNode {
  readonly value: unknown;
  /** Such as `log.entries[3].request.url`. */
  readonly pointer: string;
  readonly #fileName: string;

  constructor(value: unknown, pointer: string, fileName: string) {
    this.value = value;
    this.pointer = pointer;
    this.#fileName = fileName;
  }

  /** Null counts as absent: some exporters write it for unknown values. */
  get absent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** Returns a member of an object; it is absent if the object itself is. */
  member(name: string): HarNode {
    const pointer = this.pointer === '' ? name : `${this.pointer}.${name}`;
    if (this.absent) return new HarNode(undefined, pointer, this.#fileName);
    const object = this.object();
    return new HarNode(Object.hasOwn(object, name) ? object[name] : undefined, pointer, this.#fileName);
  }

  object(): Readonly<Record<string, unknown>> {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) {
      return this.refuse('must be an object');
    }
    return this.value as Readonly<Record<string, unknown>>;
  }

  elements(): HarNode[] {
    if (!Array.isArray(this.value)) return this.refuse('must be an array');
    return this.value.map(
      (element, index) => new HarNode(element, `${this.pointer}[${index}]`, this.#fileName),
    );
  }

  text(): string {
    return typeof this.value === 'string' ? this.value : this.refuse('must be a string');
  }

  textOrNumber(): string | number {
    return typeof this.value === 'number' ? this.value : this.text();
  }

  /** Returns the names and values of an object's members. */
  members(): [name: string, value: HarNode][] {
    return Object.keys(this.object()).map((name) => [name, this.member(name)]);
  }

  number(): number {
    return typeof this.value === 'number' ? this.value : this.refuse('must be a number');
  }

  boolean(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.refuse('must be true or false');
  }

  oneOf<T extends string>(allowed: readonly T[]): T {
    return (
      allowed.find((value) => value === this.value) ?? this.refuse(`must be one of ${allowed.join(', ')}`)
    );
  }

  /** Applies `read` to the value; undefined for an absent one. */
  optional<T>(read: (node: HarNode) => T): T | undefined {
    return this.absent ? undefined : read(this);
  }

  /** @throws HarError always */
  refuse(demand: string): never {
    const trouble = this.absent ? `is missing: it ${demand}` : demand;
    throw new HarError(
      this.#fileName,
      this.pointer || 'the file',
      `${trouble}; export the recording as HAR 1.2 again`,
    );
  }
}

/** A recording cannot be read: the message names the file, the place in it and the remedy. */
export class HarError extends OneLineError {
  override readonly name = 'HarError';

  /** @param place line and column of a JSON fault, or a pointer such as `log.entries[3].request.url` */
  constructor(fileName: string, place: string, trouble: string) {
    super(`${fileName}: ${place} ${trouble}.`);
  }
}
