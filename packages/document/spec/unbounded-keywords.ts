import { checkNodes } from './bounded-yaml.ts';
import { compilePattern, RefusedPattern } from './linear-pattern.ts';
import { followReference, Misplaced, readMember, splitPointer } from './place.ts';

/** A keyword that is left out, and the note that says so. */
export type DroppedKeyword = { readonly place: string; readonly note: string };

/**
 * Takes keywords out of a document that take time beyond bounds, in place: `uniqueItems` of maps or lists, which compares
 * each item with each other, and patterns that no engine matches in linear time. Rows are compared by their times all the same.
 */
export function dropUnboundedKeywords(document: unknown): DroppedKeyword[] {
  const found: { readonly name: string; readonly place: string; readonly value: unknown }[] = [];
  checkNodes(document, (name, value, place) => {
    const isUnique = name === 'uniqueItems' && value === true;
    if (isUnique || (name === 'pattern' && typeof value === 'string')) found.push({ name, place, value });
  });
  return found.flatMap(({ name, place, value }) => {
    const schema = splitPointer(place).slice(0, -1).reduce<unknown>(readMember, document);
    const note = name === 'pattern' ? refusePattern(String(value), place) : refuseUnique(document, schema);
    if (note === undefined || typeof schema !== 'object' || schema === null) return [];
    Reflect.deleteProperty(schema, name);
    return [{ place, note }];
  });
}

/** Returns why a pattern is left out. Throws Misplaced for one that is invalid for any engine. */
function refusePattern(pattern: string, place: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusedPattern)) throw error;
    if (!isValid(pattern)) throw new Misplaced(place, error.message);
    return `the pattern is left out: ${error.message}`;
  }
}

function isValid(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}

function refuseUnique(document: unknown, schema: unknown): string | undefined {
  return isUnbounded(document, schema)
    ? 'uniqueItems of maps or lists is left out: it takes time beyond bounds'
    : undefined;
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
