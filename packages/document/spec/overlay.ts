import { findNodes, type Selected } from './json-path.ts';
import { isContainer, isMap, Misplaced, readMember, requireList, requireMap, requireText } from './place.ts';
import type { ReadingBudget } from './reading-budget.ts';
import type { Origins } from './spec-file.ts';

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
  const targets = select(document, action.target, `${place}/target`, origins.budget);
  origins.budget.place = place;
  if (action.remove === true) removeAll(targets, place, origins.budget);
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
  const from =
    action.update === undefined
      ? selectOne(document, action.copy, `${place}/copy`, origins.budget)
      : undefined;
  // A part that is copied into itself does not grow meanwhile.
  const holder = from ? { update: origins.copy(from.value) } : action;
  for (const target of targets) update(target, holder, `${place}/${from ? 'copy' : 'update'}`, origins);
}

/** Merges the member `update` of an action into a node. */
function update(target: Selected, action: object, place: string, origins: Origins): void {
  origins.budget.take('steps');
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
    origins.budget.take('steps');
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

function removeAll(targets: readonly Selected[], place: string, budget: ReadingBudget): void {
  const lists = new Map<unknown[], Set<string>>();
  for (const { around, name } of targets) {
    if (!around)
      throw new Misplaced(`${place}/target`, 'the whole document cannot be removed: name a part of it');
    if (Array.isArray(around)) lists.set(around, (lists.get(around) ?? new Set()).add(name));
    else delete (around as Record<string, unknown>)[name];
  }
  for (const [list, removed] of lists) {
    budget.take('steps', list.length);
    const kept = list.filter((_, at) => !removed.has(String(at)));
    list.length = 0;
    for (const item of kept) list.push(item);
  }
}

function selectOne(document: unknown, expression: unknown, place: string, budget: ReadingBudget): Selected {
  const found = select(document, expression, place, budget);
  const [one] = found;
  if (one && found.length === 1) return one;
  throw new Misplaced(place, `this matches ${found.length} parts: name the one to copy`);
}

/** Returns the nodes that a JSONPath matches; there must be some. */
function select(document: unknown, given: unknown, place: string, budget: ReadingBudget): Selected[] {
  budget.place = place;
  const expression = requireText(given, place);
  const found = findNodes(document, expression, budget);
  if (found.length > 0) return found;
  throw new Misplaced(
    place,
    `"${expression.slice(0, 100)}" matches nothing in the document: mend it, or leave the action out`,
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
