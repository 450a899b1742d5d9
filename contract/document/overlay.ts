import { JSONPathJS } from 'jsonpath-js';
import { isContainer, isMap, Misplaced, readMember, requireList, requireMap, requireText } from './place.ts';
import { mostNodes, type Origins } from './spec-file.ts';

/** A node of the document, in the container that holds it; the root has none. */
type Selected = { readonly around?: object; readonly name: string; readonly value: unknown };

/**
 * Applies an OpenAPI Overlay (1.0 or 1.1) to a document, in place.
 * @throws Misplaced, at a place of the overlay, for an action that cannot be applied or whose target matches nothing
 */
export function applyOverlay(document: unknown, given: unknown, origins: Origins): void {
  const overlay = requireMap(given, '');
  if (!/^1\.[01]\./.test(String(overlay.overlay)))
    throw new Misplaced(
      '/overlay',
      'this is no OpenAPI Overlay: it needs "overlay: 1.1.0" and actions at its top',
    );
  for (const [at, action] of requireList(overlay.actions, '/actions').entries()) {
    const place = `/actions/${at}`;
    applyAction(document, requireMap(action, place), place, origins);
  }
}

type Action = Readonly<Record<string, unknown>>;

function applyAction(document: unknown, action: Action, place: string, origins: Origins): void {
  const targets = select(document, action.target, `${place}/target`);
  if (action.remove === true) removeAll(targets, place);
  else if ((action.update === undefined) === (action.copy === undefined))
    throw new Misplaced(place, 'an action takes one of update, copy and remove: true; write one');
  else updateAll(document, targets, action, place, origins);
}

function updateAll(
  document: unknown,
  targets: readonly Selected[],
  action: Action,
  place: string,
  origins: Origins,
): void {
  const from = action.update === undefined ? selectOne(document, action.copy, `${place}/copy`) : undefined;
  // A part that is copied into itself does not grow meanwhile.
  const holder = from ? { update: origins.copy(from.value) } : action;
  const size = JSON.stringify(holder.update).match(/[,[{]/g)?.length ?? 1;
  if (size * targets.length > mostNodes)
    throw new Misplaced(place, `this adds more than ${mostNodes} values: narrow its target`);
  for (const target of targets) update(target, holder, `${place}/${from ? 'copy' : 'update'}`, origins);
}

/** Merges the member `update` of an action into a node. */
function update(target: Selected, action: object, place: string, origins: Origins): void {
  const value = readMember(action, 'update');
  const node = target.value;
  if (Array.isArray(node)) {
    if (!Array.isArray(value)) origins.copyMember(action, 'update', node, String(node.length));
    else appendAll(node, value, origins);
  } else if (isContainer(node) && isMap(value)) merge(node, value, place, origins);
  else if (!isContainer(node) && !isContainer(value) && target.around)
    origins.copyMember(action, 'update', target.around, target.name);
  else throw mismatch(place, node, value);
}

function merge(node: object, value: object, place: string, origins: Origins): void {
  for (const [name, added] of Object.entries(value)) {
    const known = readMember(node, name);
    if (Array.isArray(known) && Array.isArray(added)) appendAll(known, added, origins);
    else if (isMap(known) && isMap(added)) merge(known, added, place, origins);
    else if (known === undefined || (!isContainer(known) && !isContainer(added)))
      origins.copyMember(value, name, node);
    else throw mismatch(place, known, added);
  }
}

function appendAll(list: unknown[], added: readonly unknown[], origins: Origins): void {
  for (const at of added.keys()) origins.copyMember(added, String(at), list, String(list.length));
}

function removeAll(targets: readonly Selected[], place: string): void {
  // Last items first, so that the places of the others stay.
  for (const { around, name } of targets.toReversed()) {
    if (!around)
      throw new Misplaced(`${place}/target`, 'the whole document cannot be removed: name a part of it');
    if (Array.isArray(around)) around.splice(Number(name), 1);
    else delete (around as Record<string, unknown>)[name];
  }
}

function selectOne(document: unknown, expression: unknown, place: string): Selected {
  const [one, ...others] = select(document, expression, place);
  if (one && others.length === 0) return one;
  throw new Misplaced(place, `this matches ${others.length + 1} parts: name the one to copy`);
}

/** Returns the nodes that a JSONPath matches, each once, in the document's order. */
function select(document: unknown, given: unknown, place: string): Selected[] {
  const expression = requireText(given, place);
  refuseCostly(expression, place);
  const found = findPaths(document, expression, place).flatMap((path) => locate(document, path));
  if (found.length > 0) return found;
  throw new Misplaced(
    place,
    `"${expression}" matches nothing in the document: mend it, or leave the action out`,
  );
}

/** Returns the paths that an expression matches, each once. */
function findPaths(document: unknown, expression: string, place: string): string[][] {
  try {
    const found = new JSONPathJS(expression).pathSegments(document as Parameters<JSONPathJS['find']>[0]);
    const paths = found.map(({ segments }) => segments.map(String));
    return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
  } catch (error) {
    throw new Misplaced(place, `"${expression}" cannot be used as a JSONPath: ${(error as Error).message}`);
  }
}

/** Returns the node at a path; none for what every object inherits. */
function locate(document: unknown, path: readonly string[]): Selected[] {
  const name = path.at(-1);
  if (name === undefined) return [{ name: '', value: document }];
  const around = path.slice(0, -1).reduce<unknown>(readMember, document);
  const value = readMember(around, name);
  return isContainer(around) && value !== undefined ? [{ around, name, value }] : [];
}

/** Throws Misplaced for an expression that could take unbounded time. */
function refuseCostly(expression: string, place: string): void {
  const bare = expression.replace(/'(\\.|[^'\\])*'|"(\\.|[^"\\])*"/g, "''");
  const isCostly =
    bare.length > 500 ||
    bare.split('..').length > 2 ||
    bare.slice(1).includes('$') ||
    /\b(match|search)\s*\(/.test(bare);
  if (isCostly)
    throw new Misplaced(
      place,
      'no expression takes match, search, a second $, a second ".." or 500 characters here: name the parts',
    );
}

function mismatch(place: string, node: unknown, value: unknown): Misplaced {
  const kind = (value: unknown): string =>
    Array.isArray(value) ? 'a list' : isContainer(value) ? 'a map' : 'a value';
  return new Misplaced(
    place,
    `${kind(value)} cannot be merged into ${kind(node)} of the document: write ${kind(node)}`,
  );
}
