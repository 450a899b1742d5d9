import type { Compiler } from './bounded-schema.ts';
import {
  collect,
  type Follow,
  Misplaced,
  readMember,
  requireList,
  requireMap,
  requireText,
  resolvePlace,
} from './place.ts';
import {
  type Annotated,
  checkParameters,
  readEdge,
  readParameterRole,
  readTimeUnit,
  readTimeZone,
} from './read-annotations.ts';
import { isOfHeader } from './request-path.ts';
import { type OperationRole, parameterRoles } from './roles.ts';
import type { Schema } from './row-forms.ts';
import type { KeyPlace, Parameter } from './spec.ts';

/** Lists an operation's parameters, each with its place in the document and with the extensions of its schema. */
export function listParameters(
  follow: Follow,
  { parameters = [] }: Annotated,
  pointer: string,
): { readonly parameter: Annotated; readonly place: string }[] {
  return requireList(parameters, `${pointer}/parameters`).map((parameter, at) => {
    const place = resolvePlace(parameter, `${pointer}/parameters/${at}`);
    const meant = requireMap(follow(parameter, place), place);
    return { parameter: { ...readSchemaTags(follow(meant.schema, place)), ...meant }, place };
  });
}

/** Returns the extensions of a parameter that are at its schema; a schema may have the role of a field as well. */
function readSchemaTags(schema: unknown): Annotated {
  const tags = ['x-unit', 'x-zone', 'x-edge', 'x-seconds'].map((name) => [name, readMember(schema, name)]);
  const role = parameterRoles.find((parameterRole) => parameterRole === readMember(schema, 'x-role'));
  return Object.fromEntries([...tags, ['x-role', role]].filter(([, value]) => value !== undefined));
}

/** Compiles the parameters of an operation, and the most rows that an answer may have. Throws Misplaced. */
export function compileParameters(
  compiled: Compiler,
  tags: Annotated,
  pointer: string,
  role: OperationRole,
  keys: readonly KeyPlace[],
): { readonly parameters: Parameter[]; readonly most: number } {
  const listed = listParameters(compiled.follow, tags, pointer).filter(
    ({ parameter }) => !keys.some((key) => isKey(key, parameter)) && !isIgnored(parameter),
  );
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

/** Returns whether a parameter describes the key once more, which is sent as its security scheme says. */
function isKey({ in: where, name }: KeyPlace, parameter: Annotated): boolean {
  const given = String(parameter.name);
  return parameter.in === where && (where === 'header' ? given.toLowerCase() : given) === name;
}

/** Returns whether OpenAPI ignores a parameter, since other parts of the document describe it. */
function isIgnored({ in: where, name }: Annotated): boolean {
  return where === 'header' && /^(accept|content-type|authorization)$/i.test(String(name));
}

function maxRows(operation: Annotated): number {
  const most = operation['x-max-rows'];
  return Number.isInteger(most) ? Number(most) : Number.POSITIVE_INFINITY;
}

function compileParameter(compiled: Compiler, parameter: Annotated, pointer: string): Parameter {
  const role = readParameterRole(parameter, pointer);
  const { schema: given = {} } = parameter;
  const place = resolvePlace(given, `${pointer}/schema`);
  const schema = requireMap(compiled.follow(given, place), place) as Schema;
  const unit = readTimeUnit(parameter, pointer);
  const required = parameter.required === true;
  const name = requireText(parameter.name, `${pointer}/name`);
  const fixed = role === undefined ? fixedValue(schema, required ? name : undefined, pointer) : {};
  if (isOfHeader({ in: parameter.in as Parameter['in'] })) checkHeader(name, fixed.fixed, pointer);
  return {
    name,
    role,
    ...(unit !== 's' && { unit }),
    ...readTimeZone(parameter, pointer),
    ...readEdge(parameter, pointer),
    ...fixed,
    ...(role === 'interval' && findUnmeasured(schema, parameter)),
    ...(role === 'limit' && schema.maximum !== undefined && { most: Number(schema.maximum) }),
    ...(role === 'limit' && schema.default !== undefined && { usual: Number(schema.default) }),
    in: parameter.in as Parameter['in'],
    required,
    accepts: compiled.schema(given, place, 'parameter'),
  };
}

/** Returns the values in an interval's enum that have no length. */
function findUnmeasured({ enum: listed = [] }: Schema, { 'x-seconds': seconds }: Annotated) {
  const unmeasured = listed.map(String).filter((name) => readMember(seconds, name) === undefined);
  return unmeasured.length > 0 ? { unmeasured } : {};
}

/** Throws Misplaced for a header that cannot be sent, or that decides the framing of requests. */
function checkHeader(name: string, fixed: string | undefined, pointer: string): void {
  const isSendable = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(fixed ?? '');
  if (!isSendable || /^(host|connection|content-length|transfer-encoding|cookie)$/i.test(name))
    throw new Misplaced(
      pointer,
      `the header ${JSON.stringify(name)} cannot be set: give a name that requests leave free and a value in ASCII`,
    );
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
