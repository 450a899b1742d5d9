import type { Compiler } from './bounded-schema.ts';
import { type ListedParameter, listParameters, schemaPlace } from './list-parameters.ts';
import { collect, Misplaced, readMember, requireMap, requireText } from './place.ts';
import {
  type Annotated,
  checkParameters,
  readEdge,
  readParameterRole,
  readTimeUnit,
  readTimeZone,
} from './read-annotations.ts';
import { type PairedInterval, readPairedIntervals } from './read-intervals.ts';
import { isOfHeader } from './request-path.ts';
import type { OperationRole } from './roles.ts';
import type { Schema } from './row-forms.ts';
import type { KeyPlace, Operation, Parameter } from './spec.ts';
import { isCountUnit } from './times.ts';

/** The parameters of an operation, the most rows that an answer may have, and the seconds of each interval. */
export type CompiledParameters = Pick<Operation, 'parameters' | 'maxRows' | 'maxRowsOf'> & {
  readonly lengths: Readonly<Record<string, number>>;
};

/** Compiles the parameters of an operation. Throws Misplaced. */
export function compileParameters(
  compiled: Compiler,
  tags: Annotated,
  pointer: string,
  role: OperationRole,
  keys: readonly KeyPlace[],
): CompiledParameters {
  const listed = listParameters(compiled.follow, tags, pointer).filter(
    ({ parameter }) => !keys.some((key) => isKey(key, parameter)) && !isIgnored(parameter),
  );
  const paired = readPairedIntervals(tags, pointer);
  const parameters = collect<Parameter[]>(
    listed.map((each) => () => compileParameter(compiled, each, paired)),
  );
  if (paired) checkPairs(paired, parameters, pointer);
  const lengths = paired
    ? Object.fromEntries(paired.map(({ name, seconds }) => [name, seconds]))
    : readLengths(listed);
  const limit = Math.min(...parameters.map(({ most = Number.POSITIVE_INFINITY }) => most));
  const rows = readMaxRows(tags['x-max-rows'], lengths, limit);
  checkParameters(role, parameters, pointer, rows.maxRows ?? Number.POSITIVE_INFINITY);
  return { parameters, ...rows, lengths };
}

function readLengths(listed: readonly ListedParameter[]): Readonly<Record<string, number>> {
  const seconds = listed.find(({ parameter }) => parameter['x-role'] === 'interval')?.parameter['x-seconds'];
  return Object.fromEntries(Object.entries(seconds ?? {}).map(([name, length]) => [name, Number(length)]));
}

/** Throws Misplaced unless each parameter of the intervals is there, and has the role. */
function checkPairs(
  paired: readonly PairedInterval[],
  parameters: readonly Parameter[],
  pointer: string,
): void {
  const there = parameters.flatMap(({ name, role }) => (role === 'interval' ? [name] : [])).sort();
  const wrong = paired.find(({ texts }) => Object.keys(texts).sort().join() !== there.join());
  if (wrong === undefined) return;
  throw new Misplaced(
    `${pointer}/x-intervals`,
    `an interval has ${Object.keys(wrong.texts).join(', ')}, but the parameters with x-role interval are ${there.join(', ') || 'none'}: name the same ones`,
  );
}

/** Reads the most rows of an answer: a number, or a map from each interval to its own. */
function readMaxRows(
  given: unknown,
  lengths: Readonly<Record<string, number>>,
  limit: number,
): Pick<Operation, 'maxRows' | 'maxRowsOf'> {
  if (typeof given !== 'object' || given === null) {
    const most = Math.min(Number.isInteger(given) ? Number(given) : Number.POSITIVE_INFINITY, limit);
    return Number.isFinite(most) ? { maxRows: most } : {};
  }
  const rows = Object.entries(given).flatMap(([name, most]) =>
    lengths[name] === undefined ? [] : [[lengths[name], Math.min(Number(most), limit)] as const],
  );
  return { maxRows: Math.max(...rows.map(([, most]) => most)), maxRowsOf: Object.fromEntries(rows) };
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

function compileParameter(
  compiled: Compiler,
  listed: ListedParameter,
  paired: readonly PairedInterval[] | undefined,
): Parameter {
  const { parameter, place: pointer } = listed;
  const role = readParameterRole(parameter, pointer);
  const { schema: given = {} } = parameter;
  const place = schemaPlace(listed);
  const schema = requireMap(compiled.follow(given, place), place) as Schema;
  const unit = readTimeUnit(parameter, pointer);
  const required = parameter.required === true;
  const name = requireText(parameter.name, `${pointer}/name`);
  const fixed = role === undefined ? fixedValue(schema, required ? name : undefined, pointer) : {};
  if (isOfHeader({ in: parameter.in as Parameter['in'] })) checkHeader(name, fixed.fixed, pointer);
  const meant = schema.format === 'date' ? { allOf: [given, { type: 'string', pattern: dayForm }] } : given;
  const accepts = compiled.schema(meant, place, 'parameter');
  const isTime = role === 'from' || role === 'to' || role === 'since';
  const isDay =
    isTime && !isCountUnit([unit].flat()[0] ?? 's') && takesDaysAlone((text) => accepts(text) === true);
  return {
    name,
    role,
    ...(unit !== 's' && { unit }),
    ...readTimeZone(parameter, pointer),
    ...readEdge(parameter, pointer),
    ...fixed,
    ...(isDay && { isDay }),
    ...(role === 'interval' && paired && { parts: listParts(paired, name) }),
    ...(role === 'interval' && !paired && findUnmeasured(schema, parameter)),
    ...(role === 'limit' && schema.maximum !== undefined && { most: Number(schema.maximum) }),
    ...(role === 'limit' && schema.default !== undefined && { usual: Number(schema.default) }),
    in: parameter.in as Parameter['in'],
    ...(parameter.at !== undefined && { at: parameter.at as readonly string[] }),
    required,
    accepts,
  };
}

const dayForm = '^\\d{4}-\\d\\d-\\d\\d$';

/** Days, and times of them that show whether a parameter takes times of day. */
const someDays = ['2026-01-31', '20260131'];
const someTimes = ['2026-01-31T15:32:20Z', '2026-01-31T15:32:20', '2026-01-31 15:32:20', '20260131153220'];

function takesDaysAlone(accepts: (text: string) => boolean): boolean {
  return someDays.some(accepts) && !someTimes.some(accepts);
}

function listParts(paired: readonly PairedInterval[], parameter: string): Readonly<Record<string, string>> {
  return Object.fromEntries(paired.map(({ name, texts }) => [name, texts[parameter] ?? '']));
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
  if (value !== undefined) return { fixed: typeof value === 'string' ? value : JSON.stringify(value) };
  if (required === undefined) return {};
  throw new Misplaced(
    pointer,
    `${required} is required and has no x-role; give it one, or a const, a single enum value or a default`,
  );
}
