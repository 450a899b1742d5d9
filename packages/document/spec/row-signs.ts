import type { RowStep } from '../layout/layout.ts';
import { escapePointer, type Follow, Misplaced, readMember, requireMap } from './place.ts';
import { type Annotated, missingPart } from './read-annotations.ts';
import { resolveSchema, type Schema } from './row-forms.ts';
import type { Operation, StatusPlace } from './spec.ts';

/** Levels of members that are searched, since references may form a circle. */
const deepest = 20;

/** Finds the members that signal a refusal or a next page. Throws Misplaced for one that needs an `x-ok`. */
export function findSigns(
  follow: Follow,
  shape: unknown,
  place: string,
): Pick<Operation, 'statuses' | 'nextPage'> {
  const [next] = findMembers(follow, shape, place, 'next-cursor');
  const statuses = findMembers(follow, shape, place, 'status');
  return {
    statuses: statuses.map(({ at, property, place: propertyPlace }) => ({
      at,
      ...readOk(property, propertyPlace),
    })),
    ...(next && { nextPage: next.at }),
  };
}

type Member = { readonly at: readonly string[]; readonly property: Annotated; readonly place: string };

function findMembers(follow: Follow, shape: unknown, place: string, role: string, depth = 0): Member[] {
  const [{ properties = {} }, resolved] = resolveSchema(follow, shape, place);
  return Object.entries(requireMap(properties, `${resolved}/properties`)).flatMap(([name, given]) => {
    const at = `${resolved}/properties/${escapePointer(name)}`;
    const [property] = resolveSchema(follow, given, at);
    if (property['x-role'] === role) return [{ at: [name], property, place: at }];
    const inner = depth < deepest ? findMembers(follow, given, at, role, depth + 1) : [];
    return inner.map((member) => ({ ...member, at: [name, ...member.at] }));
  });
}

function readOk(property: Annotated, place: string): Pick<StatusPlace, 'ok'> {
  const ok = property['x-ok'];
  if (ok !== undefined) return { ok };
  // A list of errors is empty where a request was served.
  if ([property.type].flat().includes('array')) return {};
  throw missingPart(place, 'x-ok, the value where a request was served,');
}

/** Reads the sign that there are no rows. Throws Misplaced for what is neither `absent` nor the status of a refusal. */
export function readEmpty(
  shape: Schema,
  steps: readonly RowStep[],
  place: string,
): { empty?: 'absent' | number } {
  let list: Annotated = shape;
  let at = place;
  for (const step of steps) {
    const [inner, pointer] = enter(list, step);
    list = inner as Annotated;
    at += pointer;
  }
  const empty = list['x-empty'];
  if (empty === undefined) return {};
  if (empty === 'absent') return { empty };
  if (Number.isInteger(empty) && Number(empty) >= 400 && Number(empty) <= 499)
    return { empty: Number(empty) };
  throw new Misplaced(
    `${at}/x-empty`,
    `x-empty ${JSON.stringify(empty)} is unknown here; use absent, or a status from 400 to 499`,
  );
}

function enter(node: Annotated, step: RowStep): [schema: unknown, pointer: string] {
  if (typeof step !== 'string') return [node.additionalProperties ?? {}, '/additionalProperties'];
  if (node.items !== undefined) return [node.items, '/items'];
  return [readMember(node.properties, step) ?? {}, `/properties/${escapePointer(step)}`];
}
