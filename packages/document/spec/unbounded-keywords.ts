import { checkNodes } from './bounded-yaml.ts';
import { followReference, Misplaced, readMember, splitPointer } from './place.ts';

/**
 * Takes `uniqueItems` out of lists of maps or lists, in place, since it compares each item with each other; rows are
 * compared by their times all the same. Returns the places.
 */
export function dropUnboundedKeywords(document: unknown): string[] {
  const found: string[] = [];
  checkNodes(document, (name, value, place) => {
    if (name === 'uniqueItems' && value === true) found.push(place);
  });
  return found.filter((place) => {
    const schema = splitPointer(place).slice(0, -1).reduce<unknown>(readMember, document);
    if (!isUnbounded(document, schema)) return false;
    delete (schema as { uniqueItems?: unknown }).uniqueItems;
    return true;
  });
}

function isUnbounded(document: unknown, schema: unknown): boolean {
  const types = [readMember(followItems(document, readMember(schema, 'items')), 'type')].flat();
  return types.includes(undefined) || types.includes('object') || types.includes('array');
}

function followItems(document: unknown, items: unknown): unknown {
  try {
    return followReference(document, items, '');
  } catch (error) {
    if (error instanceof Misplaced) return undefined;
    throw error;
  }
}
