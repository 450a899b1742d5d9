import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { escapePointer, Misplaced, placeOf } from './place.ts';
import {
  type Annotated,
  candleFields,
  checkParameters,
  gapsOf,
  operationRole,
  parameterRole,
  poolSpace,
  sinceOf,
  timeUnit,
  tokenFields,
} from './read-annotations.ts';
import { describedFields, findRows, type Schema } from './rows.ts';
import type { Operation, Parameter } from './spec.ts';

export type Follow = <T>(value: unknown) => T;

export type Tagged = OpenAPIV3_1.ParameterObject & Annotated;

/** The headers of an operation's success by name. */
export function successHeaders(
  follow: Follow,
  operation: OpenAPIV3_1.OperationObject,
): Readonly<Record<string, Tagged>> {
  const success = follow<OpenAPIV3_1.ResponseObject>(operation.responses?.['200'] ?? {});
  return Object.fromEntries(
    Object.entries(success.headers ?? {}).map(([name, each]) => [name, follow<Tagged>(each)]),
  );
}

/** One GET of the document; throws Misplaced at what makes it unusable. */
export function compileOperation(
  follow: Follow,
  ajv: Ajv2020,
  path: string,
  operation: OpenAPIV3_1.OperationObject,
): Operation {
  const pointer = `/paths/${escapePointer(path)}/get`;
  const tags = operation as Annotated;
  const role = operationRole(tags, pointer);
  const parameters = (operation.parameters ?? []).map((each, at) =>
    compileParameter(follow, ajv, follow(each), placeOf(each, `${pointer}/parameters/${at}`)),
  );
  checkParameters(role, parameters, pointer);
  const [schema, place] = successSchema(follow, operation, pointer);
  const rows = findRows(follow, schema, place, role);
  const { fields: described, place: fieldsPlace } = describedFields(follow, rows);
  const headers = Object.entries(successHeaders(follow, operation));
  const most = Math.min(maxRows(tags), ...parameters.map((each) => each.most ?? Number.POSITIVE_INFINITY));
  return {
    id: operation.operationId ?? `GET ${path}`,
    title: operation.summary ?? `GET ${path}`,
    role,
    space: poolSpace(tags),
    gaps: gapsOf(tags, pointer),
    ...(tags['x-since'] !== undefined && { since: sinceOf(tags, pointer) }),
    ...(Number.isFinite(most) && { maxRows: most }),
    path,
    parameters,
    rowsAt: rows.at,
    answersList: rows.isList,
    acceptsShape: ajv.compile(absolute(rows.shape)),
    acceptsRecord: ajv.compile(absolute(follow<object>(rows.record))),
    recordFields: Object.keys(described),
    ...(role === 'tokens'
      ? { fields: tokenFields(described, fieldsPlace), forms: {} }
      : candleFields(described, fieldsPlace)),
    headers: headers.map(([name]) => name.toLowerCase()),
    acceptsHeader: ajv.compile(absolute(headers[0]?.[1].schema ?? {}) as object),
    pointer,
  };
}

function maxRows(operation: Annotated): number {
  const most = operation['x-max-rows'];
  return Number.isInteger(most) ? Number(most) : Number.POSITIVE_INFINITY;
}

function successSchema(
  follow: Follow,
  operation: OpenAPIV3_1.OperationObject,
  pointer: string,
): [schema: unknown, place: string] {
  const success = follow<OpenAPIV3_1.ResponseObject>(operation.responses?.['200'] ?? {});
  const [type, content] = Object.entries(success.content ?? {}).find(([name]) => /json/.test(name)) ?? [];
  if (type === undefined || content?.schema === undefined)
    throw new Misplaced(`${pointer}/responses`, 'a 200 with a JSON schema is missing here; add it');
  const place = placeOf(operation.responses?.['200'], `${pointer}/responses/200`);
  return [content.schema, `${place}/content/${escapePointer(type)}/schema`];
}

function compileParameter(follow: Follow, ajv: Ajv2020, parameter: Tagged, pointer: string): Parameter {
  const role = parameterRole(parameter, pointer);
  const schema = follow<Schema>(parameter.schema ?? {});
  const unit = timeUnit(parameter, pointer);
  const required = parameter.required === true;
  return {
    name: parameter.name,
    ...(role && { role }),
    ...(unit !== 's' && { unit }),
    ...(role === undefined && required && { fixed: fixedValue(schema, parameter.name, pointer) }),
    ...(role === 'limit' && schema.maximum !== undefined && { most: schema.maximum }),
    ...(role === 'limit' && schema.default !== undefined && { usual: Number(schema.default) }),
    in: parameter.in as Parameter['in'],
    required,
    accepts: ajv.compile(absolute(parameter.schema ?? {}) as object),
  };
}

/** What a required parameter without a role is always sent as. */
function fixedValue(schema: Schema, name: string, pointer: string): string {
  const value = schema.const ?? (schema.enum?.length === 1 ? schema.enum[0] : schema.default);
  if (value === undefined)
    throw new Misplaced(
      pointer,
      `${name} is required and has no x-role; give it one, or a const, a single enum value or a default`,
    );
  return String(value);
}

/** References to the document's schemas, made absolute so that a part can be compiled on its own. */
export function absolute<T>(part: T): T {
  return JSON.parse(JSON.stringify(part).replaceAll('"#/components/schemas/', '"spec#/$defs/')) as T;
}
