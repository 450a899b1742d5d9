import { collect, Misplaced, requireMap } from './place.ts';
import {
  type Edge,
  edgeKinds,
  type Gaps,
  gapKinds,
  type OperationRole,
  operationRoles,
  type ParameterRole,
  parameterRoles,
  type TimeForm,
  timeUnits,
} from './roles.ts';
import { readZone, type Zone } from './times.ts';

/** The extensions at an operation, a parameter, a field or a header. */
export type Annotated = Readonly<Record<string, unknown>>;

const needed: Readonly<Record<OperationRole, readonly ParameterRole[]>> = {
  tokens: [],
  history: ['pool', 'interval'],
  latest: ['pool', 'interval'],
};

/** Reads an operation's role. Throws Misplaced if it has none. */
export function readOperationRole(operation: Annotated, place: string): OperationRole {
  const role = readChoice(operationRoles, operation, 'x-role', place);
  if (role === undefined) throw missingPart(place, `an x-role (${operationRoles.join(', ')})`);
  return role;
}

/** Reads the space that an operation's pools are numbered in. */
export function readSpace(operation: Annotated): string {
  const space = operation['x-pools'];
  return typeof space === 'string' ? space : 'pools';
}

/** Reads whether an operation's history may lack idle intervals. */
export function readGaps(operation: Annotated, place: string): Gaps {
  return readChoice(gapKinds, operation, 'x-gaps', place) ?? 'none';
}

/** Reads the seconds within which a pool that never rests has a new row. */
export function readFreshness(operation: Annotated, place: string): { fresh?: number } {
  const fresh = operation['x-fresh'];
  if (fresh === undefined) return {};
  if (Number(fresh) > 0) return { fresh: Number(fresh) };
  throw new Misplaced(
    `${place}/x-fresh`,
    `x-fresh ${JSON.stringify(fresh)} is no number of seconds above 0: give one`,
  );
}

/** Reads the day (YYYY-MM-DD, UTC) before which no pool had a row, in Unix seconds. */
export function readSince(operation: Annotated, place: string): number {
  const since = operation['x-since'];
  const instant =
    typeof since === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(instant))
    throw new Misplaced(`${place}/x-since`, `x-since ${JSON.stringify(since)} is no day; write YYYY-MM-DD`);
  return instant / 1000;
}

/** Reads a parameter's role, if it has one. */
export function readParameterRole(parameter: Annotated, place: string): ParameterRole | undefined {
  return readChoice(parameterRoles, parameter, 'x-role', place);
}

/** Reads the unit of a time, or a list of those that may come; seconds by default. */
export function readTimeUnit(described: Annotated, place: string): TimeForm {
  const { 'x-unit': given } = described;
  if (!Array.isArray(given) || given.length === 0)
    return readChoice(timeUnits, described, 'x-unit', place) ?? 's';
  const units = given.map((unit) => readChoice(timeUnits, { 'x-unit': unit }, 'x-unit', place) ?? 's');
  return units.length === 1 && units[0] ? units[0] : units;
}

/** Reads the zone of texts without an offset and of days, if any. Throws Misplaced for an unknown one. */
export function readTimeZone(
  described: Annotated,
  place: string,
): { readonly zone?: Zone; readonly zoneName?: string } {
  const name = described['x-zone'];
  if (name === undefined) return {};
  const zone = typeof name === 'string' ? readZone(name) : undefined;
  if (zone) return { zone, zoneName: String(name) };
  const words = `x-zone ${JSON.stringify(name)} is no zone`;
  throw new Misplaced(`${place}/x-zone`, `${words}; write an IANA name such as Asia/Tokyo`);
}

/**
 * Reads the requests a minute that an operation may take: those of its `x-rate` or the document's, divided by the
 * operation's weight; Infinity by default.
 */
export function readRate(operation: Annotated, place: string, document: Annotated): number {
  const [ofOperation, all] = [
    [operation, place],
    [document, ''],
  ].map(([described, at]) => requireMap((described as Annotated)['x-rate'] ?? {}, `${at}/x-rate`));
  const { requests = all?.requests ?? Number.POSITIVE_INFINITY, weight = 1 } = ofOperation ?? {};
  if (Number(requests) > 0 && Number(weight) > 0) return Number(requests) / Number(weight);
  throw new Misplaced(
    `${place}/x-rate`,
    'x-rate takes requests, the number allowed in a minute, and weight, what one of them counts: give numbers above 0',
  );
}

/** Reads whether rows at an end of a range belong to it. */
export function readEdge(parameter: Annotated, place: string): { edge?: Edge } {
  const edge = readChoice(edgeKinds, parameter, 'x-edge', place);
  return edge ? { edge } : {};
}

/**
 * Throws Misplaced if an operation lacks a parameter that its role needs. A history without an end holds the newest
 * rows, at most `most` of them, or those since a time.
 */
export function checkParameters(
  role: OperationRole,
  parameters: readonly { readonly role?: ParameterRole; readonly parts?: object }[],
  place: string,
  most: number,
): void {
  const there = parameters.flatMap(({ role: part }) => part ?? []);
  collect(
    needed[role].map((part) => () => {
      if (!there.includes(part)) throw missingPart(`${place}/parameters`, `a parameter with x-role ${part}`);
    }),
  );
  const isBounded = there.includes('since') || (Number.isFinite(most) && !there.includes('from'));
  if (role === 'history' && !there.includes('to') && !isBounded)
    throw missingPart(
      `${place}/parameters`,
      'a parameter with x-role to, or x-max-rows where an answer holds the newest rows,',
    );
  if (role === 'history' && there.includes('to') && !there.includes('from') && !there.includes('limit'))
    throw missingPart(`${place}/parameters`, 'a parameter with x-role from or limit');
  const single = parameters.flatMap(({ role: part, parts }) => (part && !parts ? [part] : []));
  const twice = single.find((part, at) => single.indexOf(part) < at);
  if (twice !== undefined)
    throw new Misplaced(`${place}/parameters`, `two parameters have x-role ${twice}; keep one`);
}

/** Reads an extension that takes one of a few values; undefined if it is absent. */
export function readChoice<T extends string>(
  values: readonly T[],
  described: Annotated,
  extension: string,
  place: string,
): T | undefined {
  const value = described[extension];
  if (value === undefined) return undefined;
  const known = values.find((candidate) => candidate === value);
  if (known === undefined)
    throw new Misplaced(
      `${place}/${extension}`,
      `${extension} ${JSON.stringify(value)} is unknown here; use one of ${values.join(', ')}`,
    );
  return known;
}

/** Makes the error for something that the document lacks. */
export function missingPart(place: string, what: string): Misplaced {
  return new Misplaced(place, `${what} is missing here; add it`);
}
