import { type ColumnChoice, type ColumnRole, columnRoles } from './columns.ts';

/** What `--columns` may hold. */
export const columnsForm =
  'give the columns in their order, such as time,open,high,low,close,volume with - for one to skip, or by their names, such as time=Date,open=First';

/** Reads `time,open,-,close` or `time=Date,open=First`; undefined where it is neither. */
export function readColumns(text: string): ColumnChoice | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every((part) => part.includes('='))) return byName(parts);
  const roles = parts.map((part) => (part === '-' || part === '' ? undefined : roleOf(part)));
  if (roles.includes(null) || hasTwice(roles)) return undefined;
  return { inOrder: roles as (ColumnRole | undefined)[] };
}

function byName(parts: readonly string[]): ColumnChoice | undefined {
  const pairs = parts.map((part) => {
    const at = part.indexOf('=');
    return [roleOf(part.slice(0, at).trim()), part.slice(at + 1).trim()] as const;
  });
  const roles = pairs.map(([role]) => role);
  if (roles.includes(null) || hasTwice(roles)) return undefined;
  return { byName: Object.fromEntries(pairs) };
}

function roleOf(word: string): ColumnRole | null {
  const lower = word.toLowerCase();
  const named = lower === 'avg' ? 'average' : lower;
  return columnRoles.find((role) => role === named) ?? null;
}

function hasTwice(roles: readonly (ColumnRole | null | undefined)[]): boolean {
  const known = roles.filter(Boolean);
  return new Set(known).size < known.length;
}
