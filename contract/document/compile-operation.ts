import type { ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { checkBounds } from './bounded-schema.ts';
import {
  collect,
  escapePointer,
  type Follow,
  Misplaced,
  requireList,
  requireMap,
  requireText,
  resolvePlace,
} from './place.ts';
import {
  type Annotated,
  checkParameters,
  readEdge,
  readFreshness,
  readGaps,
  readOperationRole,
  readParameterRole,
  readSince,
  readSpace,
  readTimeUnit,
  readTimeZone,
} from './read-annotations.ts';
import { readCandleFields, readTokenFields } from './read-fields.ts';
import type { OperationRole } from './roles.ts';
import { describedFields, findRows, findSigns, readEmpty, type Schema } from './rows.ts';
import type { Operation, Parameter } from './spec.ts';

/** Returns the headers of an operation's 200 response by name. */
export function successHeaders(
  follow: Follow,
  operation: Annotated,
  pointer: string,
): Readonly<Record<string, Annotated>> {
  const [success, place] = findSuccess(follow, operation, pointer);
  const headersPlace = `${place}/headers`;
  return Object.fromEntries(
    Object.entries(requireMap(success.headers ?? {}, headersPlace)).map(([name, property]) => {
      const at = resolvePlace(property, `${headersPlace}/${escapePointer(name)}`);
      return [name, requireMap(follow(property, at), at)];
    }),
  );
}

function findSuccess(follow: Follow, { responses = {} }: Annotated, pointer: string): [Annotated, string] {
  const success = requireMap(responses, `${pointer}/responses`)['200'] ?? {};
  const place = resolvePlace(success, `${pointer}/responses/200`);
  return [requireMap(follow(success, place), place), place];
}

/** Lists an operation's parameters, each with its place in the document. */
export function listParameters(
  follow: Follow,
  { parameters = [] }: Annotated,
  pointer: string,
): { readonly parameter: Annotated; readonly place: string }[] {
  return requireList(parameters, `${pointer}/parameters`).map((parameter, at) => {
    const place = resolvePlace(parameter, `${pointer}/parameters/${at}`);
    return { parameter: requireMap(follow(parameter, place), place), place };
  });
}

/** Compiles one GET of the document. Throws Misplaced at whatever makes it unusable. */
export function compileOperation(follow: Follow, ajv: Ajv2020, path: string, tags: Annotated): Operation {
  const pointer = `/paths/${escapePointer(path)}/get`;
  const role = readOperationRole(tags, pointer);
  const compiled = new Compiler(follow, ajv);
  const [{ parameters, most }, answer] = collect<[ReturnType<typeof compileParameters>, AnswerPart]>([
    () => compileParameters(compiled, tags, pointer, role),
    () => compileAnswer(compiled, tags, pointer, role),
  ]);
  const headers = Object.entries(successHeaders(follow, tags, pointer));
  return {
    id: operationName(tags, pointer) ?? `GET ${path}`,
    title: readName(tags, 'summary', pointer) ?? `GET ${path}`,
    role,
    space: readSpace(tags),
    gaps: readGaps(tags, pointer),
    ...readFreshness(tags, pointer),
    ...(tags['x-since'] !== undefined && { since: readSince(tags, pointer) }),
    earliest: 0,
    ...(Number.isFinite(most) && { maxRows: most }),
    path,
    parameters,
    ...answer,
    headers: headers.map(([name]) => name.toLowerCase()),
    acceptsHeader: compiled.schema(
      headers[0]?.[1].schema ?? {},
      `${pointer}/responses/200/headers`,
      'answer',
    ),
    pointer,
  };
}

type AnswerPart = Pick<
  Operation,
  | (
      | 'rowsAt'
      | 'answersList'
      | 'acceptsShape'
      | 'acceptsRecord'
      | 'recordFields'
      | 'fields'
      | 'forms'
      | 'zone'
    )
  | keyof ReturnType<typeof findSigns>
  | keyof ReturnType<typeof readEmpty>
>;

function compileParameters(
  compiled: Compiler,
  tags: Annotated,
  pointer: string,
  role: OperationRole,
): { readonly parameters: Parameter[]; readonly most: number } {
  const listed = listParameters(compiled.follow, tags, pointer);
  const parameters = collect<Parameter[]>(
    listed.map(
      ({ parameter, place }) =>
        () =>
          compileParameter(compiled, parameter, place),
    ),
  );
  const most = Math.min(
    maxRows(tags),
    ...parameters.map((parameter) => parameter.most ?? Number.POSITIVE_INFINITY),
  );
  checkParameters(role, parameters, pointer, most);
  return { parameters, most };
}

function compileAnswer(
  compiled: Compiler,
  tags: Annotated,
  pointer: string,
  role: OperationRole,
): AnswerPart {
  const { follow } = compiled;
  const [schema, place] = successSchema(follow, tags, pointer);
  const rows = findRows(follow, schema, place, role);
  const { fields: described, place: fieldsPlace } = describedFields(follow, rows);
  // Bounds the schema before anything walks through it.
  const acceptsShape = compiled.schema(rows.shape, place, 'answer');
  return {
    rowsAt: rows.at,
    answersList: rows.isList,
    acceptsShape,
    ...findSigns(follow, rows.shape, place),
    ...readEmpty(rows.shape, rows.at, place),
    acceptsRecord: compiled.schema(follow(rows.record, rows.place), rows.place, 'answer'),
    recordFields: Object.keys(described),
    ...(role === 'tokens'
      ? { fields: readTokenFields(described, fieldsPlace), forms: {} }
      : readCandleFields(described, fieldsPlace)),
  };
}

/** Results are found by it: a longer one would not fit the index of a database. */
const longestOperationId = 160;

function operationName(operation: Annotated, pointer: string): string | undefined {
  const name = readName(operation, 'operationId', pointer);
  if (name === undefined || (name.length <= longestOperationId && !/[\p{Cc}\p{Cs}]/u.test(name))) return name;
  throw new Misplaced(
    `${pointer}/operationId`,
    `the operationId is longer than ${longestOperationId} characters or holds a control character: give a short name`,
  );
}

function readName(operation: Annotated, name: string, pointer: string): string | undefined {
  return operation[name] === undefined ? undefined : requireText(operation[name], `${pointer}/${name}`);
}

/** Compiles schemas that check any value in bounded time. Throws Misplaced at any other schema. */
class Compiler {
  readonly follow: Follow;
  readonly #ajv: Ajv2020;

  constructor(follow: Follow, ajv: Ajv2020) {
    this.follow = follow;
    this.#ajv = ajv;
  }

  schema(schema: unknown, place: string, of: 'answer' | 'parameter'): ValidateFunction {
    checkBounds(this.follow, schema, place, of);
    try {
      return this.#ajv.compile(makeAbsolute(schema) as object);
    } catch (error) {
      const why = (error as Error).message.replaceAll('[object Object]', 'a map');
      throw new Misplaced(place, `this schema cannot be compiled: ${why}`);
    }
  }
}

function maxRows(operation: Annotated): number {
  const most = operation['x-max-rows'];
  return Number.isInteger(most) ? Number(most) : Number.POSITIVE_INFINITY;
}

function successSchema(
  follow: Follow,
  operation: Annotated,
  pointer: string,
): [schema: unknown, place: string] {
  const [success, place] = findSuccess(follow, operation, pointer);
  const contentPlace = `${place}/content`;
  const types = Object.entries(requireMap(success.content ?? {}, contentPlace));
  const [type, content] = types.find(([name]) => /json/.test(name)) ?? [];
  const { schema } = content === undefined ? {} : requireMap(content, `${contentPlace}/${type}`);
  if (type === undefined || schema === undefined)
    throw new Misplaced(`${pointer}/responses`, 'a 200 with a JSON schema is missing here; add it');
  return [schema, `${contentPlace}/${escapePointer(type)}/schema`];
}

function compileParameter(compiled: Compiler, parameter: Annotated, pointer: string): Parameter {
  const role = readParameterRole(parameter, pointer);
  const { schema: given = {} } = parameter;
  const place = resolvePlace(given, `${pointer}/schema`);
  const schema = requireMap(compiled.follow(given, place), place) as Schema;
  const unit = readTimeUnit(parameter, pointer);
  const zone = readTimeZone(parameter, pointer);
  const required = parameter.required === true;
  const name = requireText(parameter.name, `${pointer}/name`);
  return {
    name,
    ...(role && { role }),
    ...(unit !== 's' && { unit }),
    ...(zone && { zone }),
    ...readEdge(parameter, pointer),
    ...(role === undefined && fixedValue(schema, required ? name : undefined, pointer)),
    ...(role === 'limit' && schema.maximum !== undefined && { most: Number(schema.maximum) }),
    ...(role === 'limit' && schema.default !== undefined && { usual: Number(schema.default) }),
    in: parameter.in as Parameter['in'],
    required,
    accepts: compiled.schema(given, place, 'parameter'),
  };
}

/** Returns the const, single enum value or default of a parameter without a role; a `required` one must have it. */
function fixedValue(schema: Schema, required: string | undefined, pointer: string): { fixed?: string } {
  const value = schema.const ?? (schema.enum?.length === 1 ? schema.enum[0] : schema.default);
  if (value !== undefined) return { fixed: String(value) };
  if (required === undefined) return {};
  throw new Misplaced(
    pointer,
    `${required} is required and has no x-role; give it one, or a const, a single enum value or a default`,
  );
}

/** Makes references to the document's schemas absolute, so that a part can be compiled alone. */
export function makeAbsolute<T>(part: T): T {
  return JSON.parse(JSON.stringify(part).replaceAll('"#/components/schemas/', '"spec#/$defs/')) as T;
}
