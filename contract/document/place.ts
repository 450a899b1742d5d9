/** What makes a document unusable, at the place that a JSON pointer names. */
export class Misplaced extends Error {
  override readonly name = 'Misplaced';
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

export function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The pointer to a value that stands at this one: that of another place where it is a reference. */
export function placeOf(value: unknown, pointer: string): string {
  const reference = (value as { $ref?: unknown } | undefined)?.$ref;
  return typeof reference === 'string' ? reference.replace(/^#/, '') : pointer;
}

/** Gives what a value refers to, or the value itself; throws Misplaced at the place for what leads to nothing. */
export type Follow = (value: unknown, place: string) => unknown;

/** A map of the document. Throws Misplaced where something else stands there. */
export function mapAt(value: unknown, pointer: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new Misplaced(pointer, `${shown(value)} stands where a map belongs: write one`);
}

/** A list of the document. Throws Misplaced where something else stands there. */
export function listAt(value: unknown, pointer: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Misplaced(pointer, `${shown(value)} stands where a list belongs: write one`);
}

/** A text of the document. Throws Misplaced where something else stands there. */
export function textAt(value: unknown, pointer: string): string {
  if (typeof value === 'string') return value;
  throw new Misplaced(pointer, `${shown(value)} stands where a text belongs: write one`);
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60);
}
