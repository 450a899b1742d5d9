import { createHash } from 'node:crypto';
import type { OpenAPIV3_1 } from 'openapi-types';
import { checkNodes } from './bounded-yaml.ts';
import { inlineFiles } from './external-references.ts';
import { dropUnmeant } from './keep-meant.ts';
import { compilePattern, RefusedPattern } from './linear-pattern.ts';
import { mergeAllOf } from './merge-all-of.ts';
import { applyOverlay } from './overlay.ts';
import {
  escapePointer,
  followReference,
  isContainer,
  isMap,
  Misplaced,
  readMember,
  splitPointer,
} from './place.ts';
import { ReadingBudget } from './reading-budget.ts';
import { type DocumentFiles, SpecError } from './spec.ts';
import { Origins, readSpecFile, setMember, withPlace } from './spec-file.ts';
import { convertSwagger } from './swagger.ts';
import { dropUnboundedKeywords } from './unbounded-keywords.ts';
import { nameResponses } from './usual-response.ts';

/** A document with the parts that other files add to it, in OpenAPI 3.1 or 3.2. */
export type WholeDocument = {
  /** Plain JSON. */
  readonly value: unknown;
  /** Hash of all files in the order of reading. */
  readonly sha256: string;
  /** Parts that are not checked, one line each. */
  readonly notes: readonly string[];
  /** Returns file and line of what a JSON pointer leads to, or of the nearest part around it. */
  findPlace(pointer: string): string;
};

/**
 * Reads a document with the files that it refers to and its overlays; converts OpenAPI 3.0 and Swagger 2.0.
 * @throws SpecError for a file that cannot be used, a bound exceeded, a dangling reference or an idle overlay
 */
export function readDocument(files: DocumentFiles): WholeDocument {
  try {
    return readParts(files, new Origins(new ReadingBudget()));
  } catch (error) {
    // Overlays can put one level into another without end.
    if (!(error instanceof RangeError)) throw error;
    throw new SpecError(`${files.file}: its values are nested too deeply with its parts and overlays`);
  }
}

function readParts(
  { file, overlays = [], texts: given = {} }: DocumentFiles,
  origins: Origins,
): WholeDocument {
  const { budget } = origins;
  const main = convertSwagger(readSpecFile(file, budget, { given: given[file] }));
  origins.mark(main);
  const findPlace = (pointer: string): string => origins.findPlace(main, pointer);
  const texts = [main.text];
  withPlace(findPlace, () => texts.push(...inlineFiles(main, origins)));
  for (const file of overlays) {
    const overlay = readSpecFile(file, budget, { given: given[file] });
    origins.mark(overlay);
    texts.push(overlay.text);
    withPlace(
      (pointer) => `${file}:${overlay.findLine(splitPointer(pointer))}`,
      () => applyOverlay(main.value, overlay.value, origins),
    );
  }
  const left = withPlace(findPlace, () => {
    dropUnmeant(main.value);
    normalizeDocument(main.value, origins);
    const unbounded = dropUnboundedKeywords(main.value);
    checkParts(main.value);
    return unbounded;
  });
  const notes = [
    ...(main.convertedFrom === undefined
      ? []
      : [`${file}: read as OpenAPI 3.1, converted from ${main.convertedFrom}`]),
    ...left.map(({ place, note }) => `${findPlace(place)}: ${note.replace(/\s+/g, ' ')}`),
  ];
  const sha256 = createHash('sha256').update(texts.join('\0')).digest('hex');
  return { value: main.value, sha256, notes, findPlace };
}

/** Returns a value whose top is OpenAPI 3.1 or 3.2; the rest is checked when used. Throws a SpecError for any other. */
export function requireOpenApi(value: unknown, file: string): OpenAPIV3_1.Document {
  const { openapi, info, paths } = { ...(isContainer(value) && value) } as Record<string, unknown>;
  if (!isMap(info) || !isMap(paths))
    throw new SpecError(`${file}: this is no OpenAPI: it needs "openapi: 3.1.0", info and paths at its top`);
  if (!/^3\.[12](\.|$)/.test(String(openapi)))
    throw new SpecError(
      `${file}: its "openapi" is ${JSON.stringify(openapi) ?? 'missing'}: write it in 3.0, 3.1 or 3.2, such as 3.1.0`,
    );
  return value as OpenAPIV3_1.Document;
}

/** Throws Misplaced if a document has a dangling reference or a pattern that may not be matched. */
function checkParts(root: unknown): void {
  checkNodes(root, (name, value, place) => {
    if (name === '$ref') checkReference(root, value, place);
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
      `${JSON.stringify(reference)?.slice(0, 100)} is not followed here: write the value itself, for a $ref leads to another file only where OpenAPI takes a reference, and not from an overlay; others begin with "#/"`,
    );
  followReference(root, { $ref: reference }, place);
}

type Schema = Record<string, unknown>;

/** Rewrites a document as OpenAPI 3.1, in place: every operation has the parameters of its path, and no `allOf`. */
function normalizeDocument(document: unknown, origins: Origins): void {
  for (const path of Object.keys(readMember(document, 'paths') ?? {})) spreadPath(document, path, origins);
  nameResponses(document);
  if (/^3(\.0(\.\d+)?)?$/.test(String(readMember(document, 'openapi')))) {
    (document as Schema).openapi = '3.1.0';
    convertEach(readMember(readMember(document, 'components'), 'schemas'));
    convertWithin(document);
  }
  mergeAllOf(document, origins);
}

/** Gives a path's GET and POST the parameters of the path, unless they define them themselves. */
function spreadPath(document: unknown, path: string, origins: Origins): void {
  const paths = readMember(document, 'paths') as object;
  const place = `/paths/${escapePointer(path)}`;
  origins.budget.place = place;
  const item = readMember(paths, path);
  const meant = followReference(document, item, place);
  if (item !== meant) setMember(paths, path, origins.copy(meant));
  const shared = readMember(meant, 'parameters');
  if (!Array.isArray(shared)) return;
  for (const method of ['get', 'post']) {
    const operation = readMember(readMember(paths, path), method);
    if (isContainer(operation)) spreadParameters(document, operation, shared, place, origins);
  }
}

function spreadParameters(
  document: unknown,
  operation: object,
  shared: readonly unknown[],
  place: string,
  origins: Origins,
): void {
  const parameters = readMember(operation, 'parameters') ?? [];
  if (!Array.isArray(parameters)) return;
  const name = (parameter: unknown): string => {
    const found = followReference(document, parameter, place);
    return `${readMember(found, 'in')} ${readMember(found, 'name')}`;
  };
  const taken = parameters.map(name);
  const added = shared.filter((parameter) => !taken.includes(name(parameter)));
  (operation as Schema).parameters = [...parameters, ...added.map((parameter) => origins.copy(parameter))];
}

/** Converts the schemas of parameters, headers and media types. */
function convertWithin(node: unknown): void {
  if (!isContainer(node)) return;
  for (const [name, child] of Object.entries(node)) {
    if (name === 'schema') convertSchema(child);
    else if (name !== 'schemas') convertWithin(child);
  }
}

function convertEach(schemas: unknown): void {
  if (isContainer(schemas)) for (const schema of Object.values(schemas)) convertSchema(schema);
}

function convertSchema(given: unknown): void {
  if (!isContainer(given)) return;
  const schema = given as Schema;
  if (typeof schema.$ref === 'string') dropSiblings(schema);
  convertNullable(schema);
  convertBound(schema, 'minimum', 'exclusiveMinimum');
  convertBound(schema, 'maximum', 'exclusiveMaximum');
  if ('example' in schema && !('examples' in schema)) schema.examples = [schema.example];
  delete schema.example;
  for (const name of ['properties', 'allOf', 'anyOf', 'oneOf', 'prefixItems']) convertEach(schema[name]);
  for (const name of ['items', 'not', 'additionalProperties']) convertSchema(schema[name]);
}

/** Drops the keywords beside a reference, which 3.0 ignores; extensions stay. */
function dropSiblings(schema: Schema): void {
  for (const name of Object.keys(schema)) if (name !== '$ref' && !name.startsWith('x-')) delete schema[name];
}

function convertNullable(schema: Schema): void {
  if (schema.nullable === true && typeof schema.type === 'string') {
    schema.type = [schema.type, 'null'];
    if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
  }
  delete schema.nullable;
}

function convertBound(schema: Schema, bound: string, exclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  if (schema[exclusive] && schema[bound] !== undefined) {
    schema[exclusive] = schema[bound];
    delete schema[bound];
  } else delete schema[exclusive];
}
