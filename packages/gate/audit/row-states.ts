import { intervalPhase } from '@candleproof/document/spec/interval';
import { listPools, requireOperation } from '@candleproof/document/spec/operation';
import { rungSeconds } from '@candleproof/document/spec/roles';
import type { PoolId } from '@candleproof/document/spec/spec';
import type { Evidence } from '@candleproof/law/relations/evidence';
import { firstIndexFrom } from '@candleproof/law/relations/timeline';
import type { Damage } from './damage.ts';
import { type AuditRange, auditedIntervals } from './part.ts';

/** States of an interval, the gravest last: the row of a usable one is neither damaged nor doubted. */
export const rowStates = ['usable', 'doubted', 'unread', 'missing', 'damaged'] as const;
export type RowState = (typeof rowStates)[number];

/** An interval that is over, by its start in Unix seconds. */
type PastRow = { readonly start: number; readonly state: RowState };

/** The past of a pool in one interval, as a table. */
export type PastTable = {
  readonly pool: PoolId;
  /** Name of the interval: `HOUR`. */
  readonly interval: string;
  /** Seconds. */
  readonly length: number;
  /** In the order of time. */
  readonly rows: readonly PastRow[];
};

/** Numbers of intervals of a pool's past, by their state. */
export type Usable = Readonly<Record<RowState, number>> & {
  readonly pool: PoolId;
  readonly interval: string;
  readonly intervals: number;
};

/** Reads the state of each interval of each pool, the shortest first; damage says which rows are missing too. */
export function readTables(
  { spec, target, timelines }: Pick<Evidence, 'spec' | 'target' | 'timelines'>,
  damage: readonly Damage[],
  range: AuditRange,
): PastTable[] {
  const history = requireOperation(spec, 'history');
  const rungs = auditedIntervals.toReversed().filter((rung) => spec.rungs[rung]);
  const lines = timelines().filter(({ inverted }) => !inverted);
  return listPools(target, history).flatMap((pool) =>
    rungs.map((rung): PastTable => {
      const [interval, length] = [spec.rungs[rung]?.name ?? rung, rungSeconds(spec.rungs, rung)];
      const line = lines.find((line) => line.pool === `${history.id} ${pool}` && line.length === length);
      const rows = (line?.candles ?? []).filter(
        ({ start }) => start < range.to && start + length > range.from,
      );
      const found = damage.filter((one) => one.pool === pool && one.interval === interval);
      return { pool, interval, length, rows: readStates(rows, found, length) };
    }),
  );
}

function readStates(
  rows: readonly { readonly start: number }[],
  damage: readonly Damage[],
  length: number,
): PastRow[] {
  const states = new Map(rows.map(({ start }): [number, RowState] => [start, 'usable']));
  const note = (start: number, state: RowState): void => {
    if (rank(state) > rank(states.get(start) ?? 'usable')) states.set(start, state);
  };
  for (const one of damage) {
    const state = nameState(one);
    for (const { start } of selectWithin(rows, one)) note(start, state);
    if (!hasNoRows(one)) continue;
    const first = one.from + intervalPhase((rows[0]?.start ?? one.from) - one.from, length);
    for (let start = first; start + length <= one.to; start += length) note(start, state);
  }
  return [...states].map(([start, state]) => ({ start, state })).sort((a, b) => a.start - b.start);
}

/** Selects the rows in order of time that begin within a range. */
export function selectWithin<Row extends { readonly start: number }>(
  rows: readonly Row[],
  { from, to }: AuditRange,
): readonly Row[] {
  return rows.slice(firstIndexFrom(rows, from), firstIndexFrom(rows, to));
}

function rank(state: RowState): number {
  return rowStates.indexOf(state);
}

function nameState({ kind, certainty }: Damage): RowState {
  if (certainty === 'unknown') return 'unread';
  if (certainty === 'suspicion') return 'doubted';
  return kind === 'gap' || kind === 'outage' ? 'missing' : 'damaged';
}

/** Returns whether a range is one of intervals that lack their rows, or whose rows could not be read. */
export function hasNoRows({ kind }: Pick<Damage, 'kind'>): boolean {
  return ['gap', 'outage', 'unread', 'unreadable'].includes(kind);
}

/** Counts the intervals of a table by their state. */
export function countUsable({ pool, interval, rows }: PastTable): Usable {
  const counts = { usable: 0, doubted: 0, unread: 0, missing: 0, damaged: 0 };
  for (const { state } of rows) counts[state]++;
  return { pool, interval, intervals: rows.length, ...counts };
}
