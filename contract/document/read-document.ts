import { createHash } from 'node:crypto';
import type { OpenAPIV3_1 } from 'openapi-types';
import { inlineFiles } from './external-references.ts';
import { compilePattern, RefusedPattern } from './linear-pattern.ts';
import { normalizeDocument } from './normalize-document.ts';
import { Origins } from './origins.ts';
import { applyOverlay } from './overlay.ts';
import { escapePointer, followReference, isContainer, isMap, Misplaced, splitPointer } from './place.ts';
import { type DocumentFiles, SpecError } from './spec.ts';
import { checkNodes, readSpecFile, withPlace } from './spec-file.ts';

/** A document with the parts that other files add to it, in OpenAPI 3.1 or 3.2. */
export type WholeDocument = {
  /** Plain JSON. */
  readonly value: unknown;
  /** Hash of all files in the order of reading. */
  readonly sha256: string;
  /** Returns file and line of what a JSON pointer leads to, or of the nearest part around it. */
  findPlace(pointer: string): string;
};

/**
 * Reads a document with the files that it refers to and its overlays; converts OpenAPI 3.0.
 * @throws SpecError for a file that cannot be used, a bound exceeded, a dangling reference or an idle overlay
 */
export function readDocument({ file, overlays = [] }: DocumentFiles): WholeDocument {
  const origins = new Origins();
  const main = readSpecFile(file);
  origins.mark(main);
  const findPlace = (pointer: string): string => origins.findPlace(main, pointer);
  const texts = [main.text];
  withPlace(findPlace, () => texts.push(...inlineFiles(main, origins)));
  for (const file of overlays) {
    const overlay = readSpecFile(file);
    origins.mark(overlay);
    texts.push(overlay.text);
    withPlace(
      (pointer) => `${file}:${overlay.findLine(splitPointer(pointer))}`,
      () => applyOverlay(main.value, overlay.value, origins),
    );
  }
  withPlace(findPlace, () => {
    normalizeDocument(main.value, origins);
    checkParts(main.value);
  });
  const sha256 = createHash('sha256').update(texts.join('\0')).digest('hex');
  return { value: main.value, sha256, findPlace };
}

/** Returns a value whose top is OpenAPI 3.1 or 3.2; the rest is checked where it is used. Throws a SpecError for any other. */
export function requireOpenApi(value: unknown, file: string): OpenAPIV3_1.Document {
  const { openapi, info, paths } = { ...(isContainer(value) && value) } as Record<string, unknown>;
  if (!isMap(info) || !isMap(paths))
    throw new SpecError(`${file}: this is no OpenAPI: it needs "openapi: 3.1.0", info and paths at its top`);
  if (typeof openapi !== 'string' || !/^3\.[12]\./.test(openapi))
    throw new SpecError(
      `${file}: its "openapi" is ${JSON.stringify(openapi) ?? 'missing'}: write it in 3.0, 3.1 or 3.2, such as 3.1.0`,
    );
  return value as OpenAPIV3_1.Document;
}

/** Throws Misplaced where a document refers to nothing or has a pattern that may not be matched. */
function checkParts(root: unknown): void {
  checkNodes(root, (name, value, place) => {
    if (name === '$ref') checkReference(root, value, place);
    if (name === 'pattern' && typeof value === 'string') checkPattern(value, place);
    if (name === 'patternProperties' && typeof value === 'object')
      for (const pattern of Object.keys(value ?? {}))
        checkPattern(pattern, `${place}/${escapePointer(pattern)}`);
  });
}

function checkPattern(pattern: string, place: string): void {
  try {
    compilePattern(pattern);
  } catch (error) {
    if (error instanceof RefusedPattern) throw new Misplaced(place, error.message);
    throw error;
  }
}

/** Ignores a record's property that happens to be called `$ref`. */
function checkReference(root: unknown, reference: unknown, place: string): void {
  if (typeof reference === 'object' && reference !== null) return;
  if (typeof reference !== 'string' || !reference.startsWith('#/'))
    throw new Misplaced(
      place,
      `${JSON.stringify(reference)} is no reference: a $ref begins with "#/" or names a file beside this one`,
    );
  followReference(root, { $ref: reference }, place);
}
