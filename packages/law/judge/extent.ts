import { type CandleRole, candleRoles } from '@candleproof/document/spec/roles';
import type { OperationId } from '@candleproof/document/spec/spec';
import type { Answer } from '../reading/reading.ts';
import { type Breach, findRow, rowPointer } from '../rules/breach.ts';
import type { Extent } from './verdict.ts';

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
