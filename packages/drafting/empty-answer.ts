import { findMember } from '@candleproof/document/layout/layout';
import type { ApiDraft, ProbeAnswer } from './draft.ts';
import type { DraftSchema } from './draft-envelope.ts';

/** Returns a draft with the form of an answer to a range without rows: an empty list, none, or a refusal. */
export function readEmptyAnswer(draft: ApiDraft, { status, body }: ProbeAnswer): ApiDraft {
  const { rowsAt, form } = draft.layout;
  const refused = status === 200 ? undefined : readRefusal(status, body);
  if (status !== 200 && refused === undefined) return draft;
  const code = status === 200 ? findCode(body) : undefined;
  const inBody =
    status === 200 && hasOtherStatus(draft.schema, body) ? (code?.value ?? usualRefusal) : undefined;
  const list = findMember(body, rowsAt as string[]) ?? undefined;
  const isAbsent = form === 'rows' && rowsAt.length > 0 && list === undefined;
  const empty = refused ?? inBody ?? (isAbsent ? (code?.value ?? 'absent') : undefined);
  if (empty === undefined) return draft;
  const described = code && !hasMember(draft.schema, code.name);
  const schema = allowNull(markEmpty(draft.schema, empty), body);
  return {
    ...draft,
    schema: described ? addStatus(schema, code.name) : schema,
    guesses: [
      ...draft.guesses,
      `x-empty ${empty}: a range without rows ${empty === 'absent' ? 'has no list' : 'was refused so'}`,
      ...(described ? [`${code.name}: x-role status, since it is the status of a refusal`] : []),
    ],
  };
}

/** A refusal in a body that names no status counts as this one. */
const usualRefusal = 400;

/** Words of a refusal that is about rows rather than about the request. */
const noRows = /no[_ -]?(data|rows?|candles?|results?|records?)|not[_ -]?found|empty/i;

/** Returns the status of a refusal that says that there are no rows; a missing key or a bad range says nothing. */
function readRefusal(status: number | undefined, body: unknown): number | undefined {
  if (status === 404 || status === 410) return status;
  const isOfRows = (status === 400 || status === 422) && noRows.test(JSON.stringify(body) ?? '');
  return isOfRows ? status : undefined;
}

/** Returns whether a member that says whether requests are served has another value than in the first answer. */
function hasOtherStatus({ properties = {} }: DraftSchema, body: unknown): boolean {
  return Object.entries(properties as Readonly<Record<string, DraftSchema>>).some(([name, part]) => {
    const found = findMember(body, [name]);
    if (part['x-role'] !== 'status' || found === undefined) return false;
    return Array.isArray(found) ? found.length > 0 : String(found) !== String(part['x-ok']);
  });
}

function findCode(body: unknown): { readonly name: string; readonly value: number } | undefined {
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const [found] = members.flatMap(([name, value]) =>
    typeof value === 'number' && value >= 400 && value < 600 && /code|status/i.test(name)
      ? [{ name, value }]
      : [],
  );
  return found;
}

function hasMember({ properties = {} }: DraftSchema, name: string): boolean {
  return Object.hasOwn(properties as object, name);
}

function addStatus(schema: DraftSchema, name: string): DraftSchema {
  const status = { type: 'integer', 'x-role': 'status', 'x-ok': 200 };
  return { ...schema, properties: { ...(schema.properties as object), [name]: status } };
}

/** Allows null for members of an envelope that are null in an answer without rows. */
function allowNull(schema: DraftSchema, body: unknown): DraftSchema {
  if (body === null && typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  const { properties } = schema as { readonly properties?: object };
  if (!properties || typeof body !== 'object' || body === null) return schema;
  const inner = Object.entries(properties).map(([name, part]) => [
    name,
    Object.hasOwn(body, name) ? allowNull(part, findMember(body, [name])) : part,
  ]);
  return { ...schema, properties: Object.fromEntries(inner) };
}

/** Marks the list of rows. */
function markEmpty(schema: DraftSchema, empty: unknown): DraftSchema {
  if (schema['x-role'] === 'candles') return { ...schema, 'x-empty': empty };
  const { properties, items } = schema as { readonly properties?: object; readonly items?: DraftSchema };
  const inner = Object.entries(properties ?? {}).map(([name, part]) => [name, markEmpty(part, empty)]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(inner) }),
    ...(items && { items: markEmpty(items, empty) }),
  };
}
