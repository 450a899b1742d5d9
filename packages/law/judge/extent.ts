import { type CandleRole, candleRoles } from '@candleproof/document/spec/roles';
import type { OperationId } from '@candleproof/document/spec/spec';
import { oncePer } from '../reading/once.ts';
import type { Answer } from '../reading/reading.ts';
import { type Breach, rowPointer } from '../rules/breach.ts';
import type { Extent } from './verdict.ts';

/** Returns the position of the record that a breach lies in; undefined if it concerns the answer as a whole. */
export function findRow({ answer, pointer }: Pick<Breach, 'answer' | 'pointer'>): number | undefined {
  const { rowsAt, isList, records } = answer;
  if (!pointer.startsWith(`${rowsAt}/`) || records.length === 0) return undefined;
  if (!isList) return 0;
  const steps = pointer.slice(rowsAt.length + 1).split('/');
  // Rows lie in columns, at the end of the pointer, or below their key.
  if (hasColumns(answer)) return Number(steps.at(-1));
  const [key = ''] = steps;
  return /^\d*$/.test(key) ? Number(key) : (rowsByStep(answer).get(key) ?? -1);
}

/** Returns whether the rows of an answer lie in columns, so that pointers end with the row. */
function hasColumns({ fieldPointer }: Answer): boolean {
  return fieldPointer?.(0, '').endsWith('/0') === true;
}

/** Finds the first row of an answer whose pointer has a step: thousands of breaches may lie in one answer. */
const rowsByStep = oncePer(({ records, fieldPointer }: Answer): ReadonlyMap<string, number> => {
  const rows = new Map<string, number>();
  for (const row of records.keys())
    for (const step of fieldPointer?.(row, '').split('/') ?? []) if (!rows.has(step)) rows.set(step, row);
  return rows;
});

/** Returns the role of the field that a breach points at; undefined if the document gives it none. */
export function findField({ answer, pointer }: Pick<Breach, 'answer' | 'pointer'>): CandleRole | undefined {
  const row = findRow({ answer, pointer });
  const candle = answer.candles.find((candle) => candle.row === row);
  if (!candle) return undefined;
  const name = pointer.slice(rowPointer(answer, candle.row).length + 1);
  return candleRoles.find((role) => candle.reading.fields[role] === name);
}

/** The rows of each answer that some breaches lie in. */
export function findRows(breaches: readonly Breach[]): Map<Answer, Set<number>> {
  const rows = new Map<Answer, Set<number>>();
  for (const breach of breaches) {
    const row = findRow(breach);
    if (row === undefined) continue;
    const known = rows.get(breach.answer);
    if (known) known.add(row);
    else rows.set(breach.answer, new Set([row]));
  }
  return rows;
}

/** Returns the share of the judged records, or of the judged answers, of one operation that these breaches concern. */
export function measureExtent(
  breaches: readonly [Breach, ...Breach[]],
  judged: ReadonlySet<Answer>,
  operation: OperationId,
): Extent {
  const answers = [...judged].filter(({ requested }) => requested?.operation === operation);
  if (findRow(breaches[0]) === undefined) {
    const broken = new Set(breaches.map(({ answer }) => answer)).size;
    return { broken, judged: answers.length, unit: 'answer' };
  }
  const rows = [...findRows(breaches).values()];
  return {
    broken: rows.reduce((total, starts) => total + starts.size, 0) + countUnlisted(breaches),
    judged: answers.reduce((total, { records }) => total + records.length, 0),
    unit: answers[0]?.requested?.role === 'tokens' ? 'token' : 'candle',
  };
}

/** Counts the further rows that breaches represent. */
function countUnlisted(breaches: readonly Breach[]): number {
  return breaches.reduce((total, { times = 1 }) => total + times - 1, 0);
}

/**
 * Names the place of a breach in any row, by a star: that of `/12/avg` is that of `/13/avg`, and so with rows in columns or below
 * their time; `/12/1` and `/12/2` of a tuple are not the same.
 */
export function namePlace({ answer, pointer }: Pick<Breach, 'answer' | 'pointer'>): string {
  if (!pointer.startsWith('/')) return pointer;
  const { rowsAt } = answer;
  if (findRow({ answer, pointer }) === undefined || !answer.isList)
    return pointer.replace(/\/\d+(?=\/|$)/, '/*');
  const steps = pointer.slice(rowsAt.length + 1).split('/');
  return [rowsAt, ...steps.with(hasColumns(answer) ? -1 : 0, '*')].join('/');
}
