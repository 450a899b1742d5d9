import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { type Document, LineCounter, parseDocument } from 'yaml';
import {
  checkParameters,
  fieldsByRole,
  intervalsOf,
  operationRole,
  parameterRole,
  poolSpace,
  quotaHeadersOf,
} from './document/compile-roles.ts';
import { escapePointer, lineOf, Misplaced, placeOf, unescapePointer } from './document/place.ts';
import type { NamedInterval, OperationRole, ParameterRole, QuotaHeaders } from './document/roles.ts';
import { SpecError } from './spec-error.ts';
import type { OperationId } from './verdict.ts';

export type Parameter = {
  readonly name: string;
  /** What the judge gives it; undefined for one that it never sends. */
  readonly role?: ParameterRole;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly accepts: ValidateFunction;
};

export type Operation = {
  readonly id: OperationId;
  readonly role: OperationRole;
  /** The space that its pools are numbered in, such as `v1`. */
  readonly space: string;
  /** Path template below the base URL, with `{name}` for path parameters. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** A success answers a list of records, else a single one. */
  readonly answersList: boolean;
  /** The answer's own form, its records left out: a list is checked record by record, so that a hostile one stays cheap. */
  readonly acceptsShape: ValidateFunction;
  readonly acceptsRecord: ValidateFunction;
  /** Names of the fields that the document gives a record. */
  readonly recordFields: readonly string[];
  /** The same by their roles. */
  readonly fields: Readonly<Record<string, string>>;
  /** Names of the headers that every answer carries (§8), lower case. */
  readonly headers: readonly string[];
  readonly acceptsHeader: ValidateFunction;
  /** JSON pointer into openapi.yaml. */
  readonly pointer: string;
};

/** openapi.yaml, parsed and compiled. */
export type Spec = {
  readonly file: string;
  readonly sha256: string;
  readonly document: OpenAPIV3_1.Document;
  readonly operations: readonly Operation[];
  /** Shortest first. */
  readonly intervals: readonly NamedInterval[];
  readonly quota: QuotaHeaders;
};

/** How schemas are compiled: every departure, with the schema that it departs from. */
export const validation = { strict: true, allErrors: true, verbose: true } as const;

type Schema = OpenAPIV3_1.SchemaObject & { items?: unknown };

/** Reads and compiles the spec; throws a SpecError for text that is no YAML or no usable OpenAPI. */
export function loadSpec(file: string): Spec {
  const text = readFileSync(file, 'utf8');
  const parsed = parseSpecText(text, file);
  const document = parsed.document.toJS() as OpenAPIV3_1.Document;
  const ajv = new Ajv2020(validation);
  ajv.addVocabulary(extensionsIn(document));
  try {
    ajv.addSchema(absolute({ $id: 'spec', $defs: document.components?.schemas ?? {} }));
    return {
      file,
      sha256: createHash('sha256').update(text).digest('hex'),
      document,
      ...compileOperations(document, ajv),
    };
  } catch (error) {
    const place =
      error instanceof Misplaced ? `${file}:${lineOf(parsed.document, parsed.lines, error.pointer)}` : file;
    throw new SpecError(`${place}: ${error instanceof Error ? error.message : error}`);
  }
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

type Compiled = Pick<Spec, 'operations' | 'intervals' | 'quota'>;

function compileOperations(document: OpenAPIV3_1.Document, ajv: Ajv2020): Compiled {
  const gets = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    item?.get ? [{ path, operation: item.get }] : [],
  );
  const follow = <T>(value: unknown): T => dereference(document, value) as T;
  const operations = gets.map(({ path, operation }) => compileOperation(follow, ajv, path, operation));
  const [first] = gets;
  const interval = gets
    .flatMap(({ operation }) => (operation.parameters ?? []).map((each) => follow<Tagged>(each)))
    .find((each) => each['x-role'] === 'interval');
  const success = follow<OpenAPIV3_1.ResponseObject>(first?.operation.responses?.['200']);
  const headers = Object.entries(success?.headers ?? {}).map(
    ([name, each]) => [name, follow<Tagged>(each)] as const,
  );
  return {
    operations,
    intervals: intervalsOf(follow(interval?.schema ?? {}), placeOf(interval?.schema, '/paths')),
    quota: quotaHeadersOf(
      Object.fromEntries(headers),
      `/paths/${escapePointer(first?.path ?? '')}/get/responses/200/headers`,
    ),
  };
}

type Tagged = OpenAPIV3_1.ParameterObject & Readonly<Record<string, unknown>>;

function compileOperation(
  follow: <T>(value: unknown) => T,
  ajv: Ajv2020,
  path: string,
  operation: OpenAPIV3_1.OperationObject,
): Operation {
  const pointer = `/paths/${escapePointer(path)}/get`;
  const tags = operation as Readonly<Record<string, unknown>>;
  const role = operationRole(tags, pointer);
  const success = follow<OpenAPIV3_1.ResponseObject>(operation.responses?.['200']);
  const schema = follow<Schema>(success.content?.['application/json']?.schema);
  const headers = Object.entries(success.headers ?? {});
  const { items, ...shape } = schema;
  const properties = follow<Schema>(items ?? schema).properties ?? {};
  const content = placeOf(
    success.content?.['application/json']?.schema,
    `${pointer}/responses/200/content/application~1json/schema`,
  );
  const record = items === undefined ? content : placeOf(items, `${content}/items`);
  const parameters = (operation.parameters ?? []).map((each, at) =>
    compileParameter(follow(each), ajv, placeOf(each, `${pointer}/parameters/${at}`)),
  );
  checkParameters(role, parameters, pointer);
  return {
    id: operation.operationId as OperationId,
    role,
    space: poolSpace(tags),
    path,
    parameters,
    answersList: items !== undefined,
    acceptsShape: ajv.compile(items === undefined ? { type: schema.type } : absolute(shape)),
    acceptsRecord: ajv.compile(absolute(items ?? schema) as object),
    recordFields: Object.keys(properties),
    fields: fieldsByRole(role, properties, `${record}/properties`),
    headers: headers.map(([name]) => name.toLowerCase()),
    acceptsHeader: ajv.compile(absolute(follow<OpenAPIV3_1.HeaderObject>(headers[0]?.[1]).schema) as object),
    pointer,
  };
}

function compileParameter(parameter: Tagged, ajv: Ajv2020, pointer: string): Parameter {
  const role = parameterRole(parameter, pointer);
  return {
    name: parameter.name,
    ...(role && { role }),
    in: parameter.in as Parameter['in'],
    required: parameter.required === true,
    accepts: ajv.compile(absolute(parameter.schema ?? {}) as object),
  };
}

/** References to the document's schemas, made absolute so that a part can be compiled on its own. */
export function absolute<T>(part: T): T {
  return JSON.parse(JSON.stringify(part).replaceAll('"#/components/schemas/', '"spec#/$defs/')) as T;
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
