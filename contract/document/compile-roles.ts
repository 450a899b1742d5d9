import { escapePointer, Misplaced } from './place.ts';
import {
  candleRoles,
  type NamedInterval,
  type OperationRole,
  operationRoles,
  type ParameterRole,
  parameterRoles,
  type QuotaHeaders,
  quotaRoles,
  tokenRoles,
} from './roles.ts';

/** What the document says beyond OpenAPI at an operation, a parameter, a field or a header. */
type Annotated = Readonly<Record<string, unknown>>;

const records: Readonly<Record<OperationRole, readonly string[]>> = {
  tokens: tokenRoles,
  history: candleRoles,
  latest: candleRoles,
};

const needed: Readonly<Record<OperationRole, readonly ParameterRole[]>> = {
  tokens: [],
  history: ['pool', 'interval', 'from', 'to'],
  latest: ['pool', 'interval'],
};

export function operationRole(operation: Annotated, place: string): OperationRole {
  const role = oneOf(operationRoles, operation['x-role'], place);
  if (role === undefined) throw lacking(place, `an x-role (${operationRoles.join(', ')})`);
  return role;
}

/** The space that an operation's pools are numbered in. */
export function poolSpace(operation: Annotated): string {
  const space = operation['x-pools'];
  return typeof space === 'string' ? space : 'pools';
}

export function parameterRole(parameter: Annotated, place: string): ParameterRole | undefined {
  return oneOf(parameterRoles, parameter['x-role'], place);
}

/** Throws where an operation lacks a parameter that its role takes. */
export function checkParameters(
  role: OperationRole,
  parameters: readonly { readonly role?: ParameterRole }[],
  place: string,
): void {
  const there = parameters.flatMap((each) => each.role ?? []);
  for (const each of needed[role]) {
    if (!there.includes(each)) throw lacking(`${place}/parameters`, `a parameter with x-role ${each}`);
  }
  const twice = there.find((each, at) => there.indexOf(each) < at);
  if (twice !== undefined)
    throw new Misplaced(`${place}/parameters`, `two parameters have x-role ${twice}; keep one`);
}

/** Names of a record's fields by their roles. */
export function fieldsByRole(
  role: OperationRole,
  properties: Readonly<Record<string, unknown>>,
  place: string,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, property] of Object.entries(properties)) {
    const each = oneOf(records[role], (property as Annotated)['x-role'], `${place}/${escapePointer(name)}`);
    if (each === undefined) continue;
    if (fields[each] !== undefined)
      throw new Misplaced(`${place}/${name}`, `x-role ${each} is that of ${fields[each]} too; keep one`);
    fields[each] = name;
  }
  const missing = records[role].find((each) => fields[each] === undefined);
  if (missing !== undefined) throw lacking(place, `a field with x-role ${missing}`);
  return fields;
}

/** The intervals that the document gives a length, shortest first. */
export function intervalsOf(schema: Annotated, place: string): NamedInterval[] {
  const seconds = Object.entries((schema['x-seconds'] ?? {}) as Record<string, unknown>);
  if (seconds.length === 0) throw lacking(place, 'x-seconds, a map from each value to its length in seconds');
  for (const [name, value] of seconds) {
    if (!Number.isInteger(value) || Number(value) <= 0)
      throw new Misplaced(`${place}/x-seconds`, `x-seconds of ${name} is ${value}; give whole seconds`);
  }
  return seconds
    .map(([name, value]) => ({ name, seconds: Number(value) }))
    .sort((one, other) => one.seconds - other.seconds);
}

/** Names of the quota headers by what they count. */
export function quotaHeadersOf(headers: Readonly<Record<string, Annotated>>, place: string): QuotaHeaders {
  const names: Partial<Record<(typeof quotaRoles)[number], string>> = {};
  for (const [name, header] of Object.entries(headers)) {
    const role = oneOf(
      quotaRoles.map((each) => `quota-${each}` as const),
      header['x-role'],
      `${place}/${name}`,
    );
    if (role !== undefined)
      names[role.slice('quota-'.length) as (typeof quotaRoles)[number]] = name.toLowerCase();
  }
  const missing = quotaRoles.find((each) => names[each] === undefined);
  if (missing !== undefined) throw lacking(place, `a header with x-role quota-${missing}`);
  return names as QuotaHeaders;
}

/** Undefined where no role is given. */
function oneOf<T extends string>(roles: readonly T[], value: unknown, place: string): T | undefined {
  if (value === undefined) return undefined;
  const role = roles.find((each) => each === value);
  if (role === undefined)
    throw new Misplaced(
      `${place}/x-role`,
      `x-role ${JSON.stringify(value)} is unknown here; use one of ${roles.join(', ')}`,
    );
  return role;
}

function lacking(place: string, what: string): Misplaced {
  return new Misplaced(place, `${what} is missing here; add it`);
}
