import { readDescribedUnit } from './described-times.ts';
import { type DocumentNode, listNodes, memberNode, readTags } from './document-nodes.ts';
import { statusName } from './draft-envelope.ts';
import type { MarkedFields, OverlayAction } from './overlay-action.ts';
import { readExample, type SchemaField, type SchemaRows } from './schema-rows.ts';

/** Roles of documents by those of names. An unnamed average weighs trades by their volume. */
const documentRoles: Readonly<Record<string, string>> = { time: 'start', date: 'start', average: 'vwap' };

/** Gives the values of rows that a schema names their roles; `seen` is the unit of the start in an answer. */
export function markSchema(root: unknown, rows: SchemaRows, seen: MarkedFields['unit']): MarkedFields {
  const { form, holder, isBody, fields, places } = rows;
  const found = Object.entries(places).map(([role, at]) =>
    markField(root, fields[at] as SchemaField, documentRoles[role] ?? role, seen),
  );
  const keyed = form === 'keyed' ? { 'x-key': { 'x-role': 'start', 'x-unit': 'iso', type: 'string' } } : {};
  const single = isBody ? [] : [{ at: holder.at, update: { 'x-role': 'candle' } }];
  const list = [{ at: holder.at, update: { 'x-role': 'candles', ...keyed } }];
  return {
    actions: [...(form === 'single' ? single : list), ...found.map(({ action }) => action)],
    guesses: found.map(({ guess }) => guess),
    questions: found.flatMap(({ question }) => question ?? []),
    isSingle: form === 'single',
  };
}

type MarkedField = { readonly action: OverlayAction; readonly guess: string; readonly question?: string };

function markField(
  root: unknown,
  { name, node }: SchemaField,
  role: string,
  seen: MarkedFields['unit'],
): MarkedField {
  const guess = `${name.join('.')} of a row: x-role ${role} by its name`;
  if (role !== 'start' && role !== 'end')
    return { action: { at: node.at, update: { 'x-role': role } }, guess };
  const described = readDescribedUnit(readTags(root, node), readExample(root, node));
  const isSeen = seen !== undefined && role === 'start';
  const { unit, evidence } = isSeen ? { unit: seen, evidence: 'as in an answer' } : described;
  return {
    action: { at: node.at, update: { 'x-role': role, ...(unit !== 's' && { 'x-unit': unit }) } },
    guess: `${guess}; x-unit ${unit} ${evidence ?? 'by no evidence'}`,
    ...(evidence === undefined && {
      question: `x-unit of ${name.join('.')} of a row: nothing says seconds, milliseconds or text; s is assumed`,
    }),
  };
}

/** Returns the question that rows without names leave. */
export function noRows(): MarkedFields {
  return {
    ...{ actions: [], guesses: [], isSingle: false },
    questions: ['the roles of a row: the schema does not name its values; give an answer to decide'],
  };
}

/** Lists the members beside the rows that may show a refusal, and have no role so far. */
export function listStatuses(
  root: unknown,
  schema: DocumentNode | undefined,
  { actions }: MarkedFields,
): string[] {
  const isGiven = actions.some(({ update }) => update['x-role'] === 'status');
  const members = isGiven || !schema ? [] : listNodes(memberNode(root, schema, 'properties'));
  return members
    .filter(({ name }) => statusName.test(name) || name === 'error')
    .map(
      ({ name }) =>
        `x-role of ${name}: if it shows refusals, x-role: status with the x-ok of an answer that was served`,
    );
}

/** Adds what an answer shows of its envelope to the roles that names give. */
export function addStatuses(fields: MarkedFields, marked: MarkedFields | undefined): MarkedFields {
  const statuses = marked?.actions.filter(({ update }) => update['x-role'] === 'status') ?? [];
  const guesses = marked?.guesses.filter((guess) => guess.includes('x-role status')) ?? [];
  const { rows, isGapless } = { ...marked };
  return {
    ...fields,
    ...(rows !== undefined && { rows }),
    ...(isGapless && { isGapless }),
    actions: [...fields.actions, ...statuses],
    guesses: [...fields.guesses, ...guesses],
  };
}

/** Returns the unit of the start that a schema describes; undefined without evidence. */
export function startUnit(root: unknown, { fields, places }: SchemaRows): string | undefined {
  const field = fields[places.time ?? places.date ?? places.end ?? -1];
  if (!field) return undefined;
  const { unit, evidence } = readDescribedUnit(readTags(root, field.node), readExample(root, field.node));
  return evidence === undefined ? undefined : unit;
}
