import { findMember } from '@candleproof/document/layout/layout';
import type { ApiDraft, ProbeAnswer } from './draft.ts';
import type { DraftSchema } from './draft-envelope.ts';

/** Returns a draft with the form of an answer to a range without rows: an empty list, none, or a refusal. */
export function readEmptyAnswer(draft: ApiDraft, { status, body }: ProbeAnswer): ApiDraft {
  const { rowsAt, form } = draft.layout;
  const rows = findMember(body, rowsAt as string[]);
  const isPlain = form === 'rows' && rowsAt.length > 0;
  const code = status === 200 ? findCode(body) : undefined;
  if (!isPlain || (status !== 200 && status !== 404) || rows !== undefined) return draft;
  const empty = code?.value ?? (status === 404 ? status : 'absent');
  const described = code && !hasMember(draft.schema, code.name);
  const schema = markEmpty(draft.schema, empty);
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
