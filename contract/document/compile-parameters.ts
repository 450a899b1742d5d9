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
import { type OperationRole, parameterRoles } from './roles.ts';
import type { Schema } from './row-forms.ts';
import type { Parameter } from './spec.ts';

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
  return {
    name,
    role,
    ...(unit !== 's' && { unit }),
    ...readTimeZone(parameter, pointer),
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
