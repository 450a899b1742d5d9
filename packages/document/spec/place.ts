/** Reports what makes a document unusable, at the place that a JSON pointer names. */
export class Misplaced extends Error {
  override readonly name = 'Misplaced';
  readonly pointer: string;
  /** Further mistakes that do not follow from this one. */
  readonly others: readonly Misplaced[];

  constructor(pointer: string, message: string, others: readonly Misplaced[] = []) {
    super(message);
    this.pointer = pointer;
    this.others = others;
  }
}

/** Returns the results of works that do not rest on each other. Throws a Misplaced with the mistakes of all of them. */
export function collect<Results extends readonly unknown[]>(
  works: {
    readonly [At in keyof Results]: () => Results[At];
  },
): Results {
  const mistakes: Misplaced[] = [];
  const results = works.map((work) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Misplaced)) throw error;
      mistakes.push(error, ...error.others);
      return undefined;
    }
  });
  const [first, ...others] = mistakes;
  if (first) throw new Misplaced(first.pointer, first.message, others);
  return results as unknown as Results;
}

/** Escapes a step of a JSON pointer. */
export function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Unescapes a step of a JSON pointer. */
function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Splits a JSON pointer into its steps. */
export function splitPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapePointer);
}

/** Returns the pointer to a value; for a reference, that of its target. */
export function resolvePlace(value: unknown, pointer: string): string {
  const reference = (value as { $ref?: unknown } | undefined)?.$ref;
  return typeof reference === 'string' ? reference.replace(/^#/, '') : pointer;
}

/** Returns what a value refers to, or the value itself. Throws Misplaced at `place` for a dangling reference. */
export type Follow = (value: unknown, place: string) => unknown;

/** Returns whether a value is a map or a list. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns whether a value is a map. */
export function isMap(value: unknown): value is object {
  return isContainer(value) && !Array.isArray(value);
}

/** Returns a member of a value that the value itself has. */
export function readMember(node: unknown, name: string): unknown {
  return isContainer(node) && Object.hasOwn(node, name) ? (node as Record<string, unknown>)[name] : undefined;
}

/** Longer chains of references are circles. */
const mostHops = 20;

/** Returns the value that a reference leads to, or the value itself. Throws Misplaced at `place` for a dangling one. */
export function followReference(root: unknown, value: unknown, place: string): unknown {
  let found = value;
  for (let hop = 0; hop < mostHops; hop++) {
    const reference = (found as { $ref?: unknown } | undefined | null)?.$ref;
    if (typeof reference !== 'string') return found;
    found = splitPointer(reference.replace(/^#/, '')).reduce<unknown>(readMember, root);
    if (found === undefined) throw new Misplaced(place, `${reference} points at nothing: mend it`);
  }
  throw new Misplaced(place, 'this $ref leads in a circle: let it lead to a value');
}

/** Returns a value that must be a map. Throws Misplaced for any other. */
export function requireMap(value: unknown, pointer: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new Misplaced(pointer, `${abbreviate(value)} stands where a map belongs: write one`);
}

/** Returns a value that must be a list. Throws Misplaced for any other. */
export function requireList(value: unknown, pointer: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Misplaced(pointer, `${abbreviate(value)} stands where a list belongs: write one`);
}

/** Returns a value that must be a text. Throws Misplaced for any other. */
export function requireText(value: unknown, pointer: string): string {
  if (typeof value === 'string') return value;
  throw new Misplaced(pointer, `${abbreviate(value)} stands where a text belongs: write one`);
}

function abbreviate(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60);
}
