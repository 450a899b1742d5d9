import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { SpecError } from './spec-error.ts';
import type { OperationId } from './verdict.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly accepts: ValidateFunction;
};

export type Operation = {
  readonly id: OperationId;
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
};

/** How schemas are compiled: every departure, with the schema that it departs from. */
export const validation = { strict: true, allErrors: true, verbose: true } as const;

type Schema = OpenAPIV3_1.SchemaObject & { items?: unknown };

/** Reads and compiles the spec; throws a SpecError for text that is no YAML or no usable OpenAPI. */
export function loadSpec(file: string): Spec {
  const text = readFileSync(file, 'utf8');
  const document = parseSpecText(text, file).document.toJS() as OpenAPIV3_1.Document;
  const ajv = new Ajv2020(validation);
  try {
    ajv.addSchema(absolute({ $id: 'spec', $defs: document.components?.schemas ?? {} }));
    return {
      file,
      sha256: createHash('sha256').update(text).digest('hex'),
      document,
      operations: compileOperations(document, ajv),
    };
  } catch (error) {
    throw new SpecError(`${file}: ${error instanceof Error ? error.message : error}`);
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

function compileOperations(document: OpenAPIV3_1.Document, ajv: Ajv2020): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const operation = item?.get;
    return operation ? [compileOperation(document, ajv, path, operation)] : [];
  });
}

function compileOperation(
  document: OpenAPIV3_1.Document,
  ajv: Ajv2020,
  path: string,
  operation: OpenAPIV3_1.OperationObject,
): Operation {
  const follow = <T>(value: unknown): T => dereference(document, value) as T;
  const success = follow<OpenAPIV3_1.ResponseObject>(operation.responses?.['200']);
  const schema = follow<Schema>(success.content?.['application/json']?.schema);
  const headers = Object.entries(success.headers ?? {});
  const { items, ...shape } = schema;
  return {
    id: operation.operationId as OperationId,
    path,
    parameters: (operation.parameters ?? []).map((each) => compileParameter(follow(each), ajv)),
    answersList: items !== undefined,
    acceptsShape: ajv.compile(items === undefined ? { type: schema.type } : absolute(shape)),
    acceptsRecord: ajv.compile(absolute(items ?? schema) as object),
    recordFields: Object.keys(follow<Schema>(items ?? schema).properties ?? {}),
    headers: headers.map(([name]) => name.toLowerCase()),
    acceptsHeader: ajv.compile(absolute(follow<OpenAPIV3_1.HeaderObject>(headers[0]?.[1]).schema) as object),
    pointer: `/paths/${escapePointer(path)}/get`,
  };
}

function compileParameter(parameter: OpenAPIV3_1.ParameterObject, ajv: Ajv2020): Parameter {
  return {
    name: parameter.name,
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

export function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
