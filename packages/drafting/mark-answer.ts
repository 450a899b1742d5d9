import { findLayout } from '@candleproof/document/layout/find-layout';
import { type DocumentNode, memberNode, readTags, resolveNode } from './document-nodes.ts';
import { type DraftRow, draftAnswer } from './draft-answer.ts';
import type { DraftSchema } from './draft-envelope.ts';
import { nameUnreadableForm } from './draft-rows.ts';
import type { MarkedFields, OverlayAction } from './overlay-action.ts';
import { hasIdleRow, hasMissing, shortestStep } from './row-evidence.ts';

/**
 * Gives the parts of a schema the roles that an answer shows. A part that the schema does not describe is added.
 * Returns undefined for an answer whose rows cannot be found, or lie in a form that no document can say.
 */
export function markAnswer(
  root: unknown,
  schema: DocumentNode,
  body: unknown,
  values: Readonly<Record<string, string>>,
): MarkedFields | undefined {
  const layout = findLayout(body);
  if (!layout || nameUnreadableForm(layout) !== undefined) return undefined;
  const pool = Object.values(values).find((value) => layout.rowsAt.includes(value));
  const answer = draftAnswer(body, layout, pool);
  if (!answer) return undefined;
  const actions: OverlayAction[] = [];
  addRoles(root, schema, answer.schema, actions);
  const roles = listRoles(answer.schema);
  return {
    actions,
    guesses: roles.map(({ at, role, unit }) => `${at}: x-role ${role} by the values of an answer${unit}`),
    questions:
      answer.unknown.length > 0
        ? [`x-role of ${answer.unknown.join(', ')} in a row: nothing shows what it means`]
        : [],
    isSingle: false,
    unit: roles.find(({ role }) => role === 'start')?.unit.slice('; x-unit '.length) || 's',
    rows: answer.rows.length,
    isGapless: isGapless(answer.rows),
  };
}

function isGapless(rows: readonly DraftRow[]): boolean {
  return !hasMissing(rows, shortestStep(rows)) && hasIdleRow(rows);
}

type Rolled = { readonly at: string; readonly role: string; readonly unit: string };

function listRoles(schema: unknown, at = ''): Rolled[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { 'x-role': role, 'x-unit': unit } = schema as DraftSchema;
  const own =
    typeof role === 'string'
      ? [{ at: at || '/', role, unit: unit === undefined ? '' : `; x-unit ${unit}` }]
      : [];
  return [
    ...own,
    ...Object.entries(schema).flatMap(([name, inner]) => {
      if (/^(properties|prefixItems)$/.test(name)) return listRoles(inner, at);
      return typeof inner === 'object' ? listRoles(inner, name === 'items' ? at : `${at}/${name}`) : [];
    }),
  ];
}

const applied = ['properties', 'prefixItems', 'items', 'additionalProperties'] as const;

/** Walks a document's schema beside the drafted one: extensions go where a part is described, else the part is added. */
function addRoles(root: unknown, node: DocumentNode, drafted: unknown, actions: OverlayAction[]): void {
  if (typeof drafted !== 'object' || drafted === null) return;
  const isAtReference = 'x-role' in drafted && !['candles', 'candle'].includes(String(drafted['x-role']));
  // A value's role is beside its reference, as others may share what it refers to.
  const target = isAtReference ? node : resolveNode(root, node);
  const tags = Object.fromEntries(Object.entries(drafted).filter(([name]) => name.startsWith('x-')));
  if (Object.keys(tags).length > 0) actions.push({ at: target.at, update: tags });
  for (const part of applied) {
    const inner = (drafted as DraftSchema)[part];
    if (inner === undefined) continue;
    const known = memberNode(root, node, part) ?? findInParts(root, node, part);
    if (!known) actions.push({ at: resolveNode(root, node).at, update: { [part]: inner } });
    else if (part === 'items' || part === 'additionalProperties') addRoles(root, known, inner, actions);
    else addMembers(root, known, inner as object, actions);
  }
}

function addMembers(root: unknown, known: DocumentNode, drafted: object, actions: OverlayAction[]): void {
  const missing: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(drafted)) {
    const member = memberNode(root, known, name);
    if (member) addRoles(root, member, inner, actions);
    else missing.push([name, inner]);
  }
  if (missing.length > 0 && !Array.isArray(drafted))
    actions.push({ at: known.at, update: Object.fromEntries(missing) });
}

function findInParts(root: unknown, node: DocumentNode, part: string): DocumentNode | undefined {
  const parts = Object.keys(readTags(root, node).allOf ?? {});
  for (const at of parts) {
    const found = memberNode(root, node, 'allOf', at, part);
    if (found) return found;
  }
  return undefined;
}
