import { mergeAllOf } from './merge-all-of.ts';
import { type Origins, setMember } from './origins.ts';
import { escapePointer, followReference, isContainer, readMember } from './place.ts';

type Schema = Record<string, unknown>;

/** Rewrites a document in the terms of OpenAPI 3.1, in place: every operation has the parameters of its path, and no `allOf`. */
export function normalizeDocument(document: unknown, origins: Origins): void {
  for (const path of Object.keys(readMember(document, 'paths') ?? {})) spreadPath(document, path, origins);
  if (/^3\.0\./.test(String(readMember(document, 'openapi')))) {
    (document as Schema).openapi = '3.1.0';
    convertEach(readMember(readMember(document, 'components'), 'schemas'));
    convertWithin(document);
  }
  mergeAllOf(document, origins);
}

/** Gives a path's GET the parameters that stand beside it, unless it has its own of the same name. */
function spreadPath(document: unknown, path: string, origins: Origins): void {
  const paths = readMember(document, 'paths') as object;
  const place = `/paths/${escapePointer(path)}`;
  const item = readMember(paths, path);
  const meant = followReference(document, item, place);
  if (item !== meant) setMember(paths, path, origins.copy(meant));
  const get = readMember(readMember(paths, path), 'get');
  const shared = readMember(meant, 'parameters');
  if (!isContainer(get) || !Array.isArray(shared)) return;
  const parameters = readMember(get, 'parameters') ?? [];
  if (!Array.isArray(parameters)) return;
  const name = (parameter: unknown): string => {
    const found = followReference(document, parameter, place);
    return `${readMember(found, 'in')} ${readMember(found, 'name')}`;
  };
  const taken = parameters.map(name);
  const added = shared.filter((parameter) => !taken.includes(name(parameter)));
  (get as Schema).parameters = [...parameters, ...added.map((parameter) => origins.copy(parameter))];
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

/** Drops what stands beside a reference, which 3.0 ignores; extensions stay. */
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
