import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { absolute, compileOperation, successHeaders, type Tagged } from './compile-operation.ts';
import { escapePointer, lineOf, Misplaced, placeOf, unescapePointer } from './place.ts';
import { intervalsOf, quotaHeadersOf } from './read-annotations.ts';
import type { CandleRole, NamedInterval, QuotaHeaders, Role } from './roles.ts';
import { rungsOf } from './rungs.ts';
import type { Operation, Spec } from './spec.ts';
import { SpecError } from './spec-error.ts';

/** How schemas are compiled: every departure, with the schema that it departs from. */
export const validation = {
  strict: true,
  // A tuple of others may be open at its end, and a format is no type.
  strictTuples: false,
  allowUnionTypes: true,
  validateFormats: false,
  // Keywords check their own values, and the linters the rest: compiling the meta-schema would take half of the load.
  validateSchema: false,
  allErrors: true,
  verbose: true,
} as const;

/** Reads and compiles the spec; throws a SpecError for text that is no YAML or no usable OpenAPI. */
export function loadSpec(file: string): Spec {
  const text = readFileSync(file, 'utf8');
  const parsed = parseSpecText(text, file);
  const document = openApiIn(parsed.document.toJS(), file);
  const ajv = new Ajv2020(validation);
  ajv.addVocabulary(extensionsIn(document));
  try {
    ajv.addSchema(absolute({ $id: 'spec', $defs: document.components?.schemas ?? {} }));
    return {
      file,
      sha256: createHash('sha256').update(text).digest('hex'),
      document,
      isOurs: 'x-sections' in document.info,
      ...compileOperations(document, ajv),
    };
  } catch (error) {
    const place =
      error instanceof Misplaced ? `${file}:${lineOf(parsed.document, parsed.lines, error.pointer)}` : file;
    throw new SpecError(`${place}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Throws a SpecError for what is no OpenAPI 3.1 at its top; what lies below is looked at where it is used. */
function openApiIn(value: unknown, file: string): OpenAPIV3_1.Document {
  const { openapi, info, paths } = { ...(isObject(value) && value) } as Record<string, unknown>;
  if (!isObject(info) || !isObject(paths))
    throw new SpecError(`${file}: this is no OpenAPI: it needs "openapi: 3.1.0", info and paths at its top`);
  if (typeof openapi !== 'string' || !/^3\.1\./.test(openapi))
    throw new SpecError(
      `${file}: its "openapi" is ${JSON.stringify(openapi)}: write it in 3.1, such as 3.1.0`,
    );
  return value as OpenAPIV3_1.Document;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** openapi.yaml as YAML with the places of its nodes; throws a SpecError with file and line where it is none. */
export function parseSpecText(text: string, file: string): { document: Document; lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) throw new SpecError(`${file}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  return { document, lines };
}

/** Names of the document's extensions, which say nothing of shapes. */
export function extensionsIn(document: OpenAPIV3_1.Document): string[] {
  return [...new Set([...JSON.stringify(document).matchAll(/"(x-[\w-]+)":/g)].map(([, name = '']) => name))];
}

type Compiled = Pick<Spec, 'operations' | 'intervals' | 'rungs' | 'quota' | 'keyHeader' | 'roles'>;

function compileOperations(document: OpenAPIV3_1.Document, ajv: Ajv2020): Compiled {
  const follow = <T>(value: unknown): T => dereference(document, value) as T;
  const gets = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    item?.get ? [{ path, operation: item.get }] : [],
  );
  const operations = gets.map(({ path, operation }) => compileOperation(follow, ajv, path, operation));
  if (!operations.some(({ role }) => role !== 'tokens'))
    throw new Misplaced('/paths', 'no GET here has x-role history or latest; give one of them that role');
  const intervals = intervalsIn(gets, follow);
  const [first] = gets;
  const quota = quotaHeadersOf(
    first ? successHeaders(follow, first.operation) : {},
    `/paths/${escapePointer(first?.path ?? '')}/get/responses/200/headers`,
  );
  const keyHeader = keyHeaderOf(document, follow);
  return {
    operations,
    intervals,
    rungs: rungsOf(intervals),
    quota,
    ...(keyHeader !== undefined && { keyHeader }),
    roles: rolesIn(operations, quota, keyHeader !== undefined),
  };
}

/** A requirement that may be empty is none; a scheme of another kind than a key in a header cannot be met. */
function keyHeaderOf(
  { security = [], components = {} }: OpenAPIV3_1.Document,
  follow: <T>(value: unknown) => T,
): string | undefined {
  if (security.length === 0 || security.some((each) => Object.keys(each).length === 0)) return undefined;
  const names = security.flatMap((each) => (Object.keys(each).length === 1 ? Object.keys(each) : []));
  for (const name of names) {
    const scheme = follow<OpenAPIV3_1.SecuritySchemeObject>(components.securitySchemes?.[name] ?? {});
    if (scheme.type === 'apiKey' && scheme.in === 'header') return scheme.name.toLowerCase();
  }
  throw new Misplaced(
    '/security',
    'no scheme here is one apiKey in a header, and no other can be met: name such a scheme',
  );
}

/** Those of the first parameter that is an interval: all operations have the same. */
function intervalsIn(
  gets: readonly { readonly path: string; readonly operation: OpenAPIV3_1.OperationObject }[],
  follow: <T>(value: unknown) => T,
): NamedInterval[] {
  for (const { path, operation } of gets) {
    for (const [at, each] of (operation.parameters ?? []).entries()) {
      const { schema, ...parameter } = follow<Tagged>(each);
      if (parameter['x-role'] !== 'interval') continue;
      const own = placeOf(each, `/paths/${escapePointer(path)}/get/parameters/${at}`);
      return intervalsOf(follow(schema ?? {}), placeOf(schema, `${own}/schema`));
    }
  }
  return [];
}

function rolesIn(operations: readonly Operation[], quota: QuotaHeaders, isKeyed: boolean): Role[] {
  const found = operations.flatMap(({ role, fields, parameters, gaps }): Role[] => [
    role,
    ...(role === 'history' && gaps === 'none' ? (['gapless'] as const) : []),
    ...Object.keys(fields).map((each) =>
      role === 'tokens' ? (`token-${each}` as Role) : (each as CandleRole),
    ),
    ...parameters.flatMap((each) => (each.role === 'inverted' || each.role === 'from' ? [each.role] : [])),
  ]);
  const headers = Object.keys(quota).map((each) => `quota-${each}` as Role);
  return [...new Set<Role>([...found, ...headers, ...(isKeyed ? (['key'] as const) : [])])];
}

function dereference(document: unknown, value: unknown): unknown {
  const reference = (value as { $ref?: unknown } | undefined)?.$ref;
  if (typeof reference !== 'string') return value;
  const steps = reference.replace(/^#\//, '').split('/').map(unescapePointer);
  const found = steps.reduce<unknown>(
    (node, step) => (node as Record<string, unknown> | undefined)?.[step],
    document,
  );
  if (found === undefined) throw new Error(`${reference} points at nothing`);
  return dereference(document, found);
}
