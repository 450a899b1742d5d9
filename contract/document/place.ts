import type { Document, LineCounter } from 'yaml';

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

/** Line of the node that a pointer names, or of the nearest one above it. */
export function lineOf(document: Document, lines: LineCounter, pointer: string): number {
  const steps = pointer.split('/').slice(1).map(unescapePointer);
  for (let depth = steps.length; depth > 0; depth--) {
    const node = document.getIn(steps.slice(0, depth), true) as
      | { range?: [number, number, number] }
      | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** The pointer to a value that stands at this one: that of another place where it is a reference. */
export function placeOf(value: unknown, pointer: string): string {
  const reference = (value as { $ref?: unknown } | undefined)?.$ref;
  return typeof reference === 'string' ? reference.replace(/^#/, '') : pointer;
}
