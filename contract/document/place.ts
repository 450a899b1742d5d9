/** Reports what makes a document unusable, at the place that a JSON pointer names. */
export class Misplaced extends Error {
  override readonly name = 'Misplaced';
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** Escapes a step of a JSON pointer. */
export function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Unescapes a step of a JSON pointer. */
export function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the pointer to a value: its own, or that of the place which it refers to. */
export function resolvePlace(value: unknown, pointer: string): string {
  const reference = (value as { $ref?: unknown } | undefined)?.$ref;
  return typeof reference === 'string' ? reference.replace(/^#/, '') : pointer;
}

/** Returns what a value refers to, or the value itself. Throws Misplaced at `place` for a dangling reference. */
export type Follow = (value: unknown, place: string) => unknown;

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
