import type { Spec } from '@candleproof/document/spec/spec';

/** Lists the roles of a document's first operation, each with the place of its value. */
export function listRoles({ operations: [operation] }: Spec): string[] {
  if (!operation) return [];
  const { parameters, rowsAt, statuses, fields, forms, layout } = operation;
  const rows = rowsAt.map((step) => (typeof step === 'string' ? step : '{pool}'));
  return [
    ...parameters.flatMap(({ name, role, unit = 's', in: where }) => {
      if (role === undefined) return [];
      const isTime = role === 'from' || role === 'to' || role === 'since';
      return [`${role} in ${where === 'path' ? 'the path' : name}${isTime ? ` (${unit})` : ''}`];
    }),
    ...statuses.map(({ at }) => `status in /${at.join('/')}`),
    ...Object.entries(fields).map(([role, name]) => {
      const isTime = role === 'start' || role === 'end';
      const form = isTime ? ` (${(forms as Record<string, unknown>)[role] ?? 's'})` : '';
      const at = layout?.form === 'columns' ? (layout.nested?.[name ?? ''] ?? [name]) : [name];
      return `${role} in /${[...rows, ...at].join('/')}${form}`;
    }),
  ];
}

/** Returns the roles of a document that another has as well, and those that it lacks. */
export function compareRoles(
  wanted: Spec,
  found: Spec,
): { readonly found: number; readonly missed: string[] } {
  const there = new Set(listRoles(found));
  const roles = listRoles(wanted);
  const missed = roles.filter((role) => !there.has(role));
  return { found: roles.length - missed.length, missed };
}
