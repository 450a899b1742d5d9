import { roundToBegin } from '../calendar.ts';
import { addHours, type HourRecord, rollUpSlots } from '../hour-record.ts';
import type { ProbeSeries, SlotRecord } from '../probe-record.ts';
import {
  changedTables,
  lengths,
  type RollUpLength,
  readRollUp,
  rollUpRow,
  rollUpTables,
} from '../tables/roll-ups.ts';
import type { DatabaseConnection } from './database.ts';
import { among, sql, table } from './sql.ts';

/** Slots of one series that were written, and those that they replaced. */
export type WrittenSlots = {
  readonly number: number;
  readonly series: ProbeSeries;
  readonly slots: readonly SlotRecord[];
  readonly replaced: readonly SlotRecord[];
};

/**
 * Adds slots to the sums of their hours and days, so that nobody has to read them for a sum. An hour or day of which a
 * slot was replaced that had come to something is noted as changed: it is made anew from its slots. Belongs into the
 * transaction that writes them, which holds the series' row.
 */
export async function growSums(connection: DatabaseConnection, written: WrittenSlots): Promise<void> {
  for (const length of ['hours', 'days'] as const) await growLength(connection, length, written);
}

async function growLength(
  connection: DatabaseConnection,
  length: RollUpLength,
  { number, series, slots, replaced }: WrittenSlots,
): Promise<void> {
  const before = new Map(replaced.map((slot) => [slot.scheduledAt, slot]));
  const groups = Map.groupBy(slots, ({ scheduledAt }) => roundToBegin(scheduledAt, lengths[length]));
  for (const begin of await readNoted(connection, length, number, [...groups.keys()])) groups.delete(begin);
  const grown = [...groups].flatMap(([begin, group]) => {
    const old = group.flatMap(({ scheduledAt }) => before.get(scheduledAt) ?? []);
    return old.every(isBare) ? [takeStates(rollUpSlots(series, begin, group), old)] : [];
  });
  for (const { begin } of grown) groups.delete(begin);
  await connection.put(
    changedTables[length],
    [...groups.keys()].map((begin) => [begin, number]),
    { onConflict: 'ignore' },
  );
  const begins = grown.map(({ begin }) => begin);
  const kept = await readSums(connection, length, { number, series, begins });
  const rows = grown.map((sum) => {
    const old = kept.get(sum.begin);
    return rollUpRow(length, number, old ? addHours(sum.begin, [old, sum]) : sum);
  });
  await connection.put(rollUpTables[length], rows, { onConflict: 'replace' });
}

/** Returns whether a slot counts as nothing but its state, such as an overlap whose run is under way. */
function isBare({ outcome, samples, rules, degradedBy = [], certificateEnd }: SlotRecord): boolean {
  const isEmpty = [samples, rules, degradedBy].every((all) => all.length === 0);
  return outcome === undefined && isEmpty && certificateEnd === undefined;
}

/** Takes the states of replaced slots from a sum. */
function takeStates(sum: HourRecord, replaced: readonly SlotRecord[]): HourRecord {
  const states = { ...sum.states };
  for (const { state } of replaced) states[state] = (states[state] ?? 0) - 1;
  return { ...sum, states };
}

async function readNoted(
  { query }: DatabaseConnection,
  length: RollUpLength,
  number: number,
  begins: readonly number[],
): Promise<number[]> {
  const rows = await query(
    sql`SELECT begin FROM ${table(`changed_${length}`)} WHERE series = ${number} AND begin ${among(begins, 'int8')}`,
  );
  return rows.map(([begin]) => Number(begin));
}

type Places = {
  readonly number: number;
  readonly series: ProbeSeries;
  readonly begins: readonly number[];
};

async function readSums(
  { query }: DatabaseConnection,
  length: RollUpLength,
  { number, series, begins }: Places,
): Promise<ReadonlyMap<number, HourRecord>> {
  if (begins.length === 0) return new Map();
  const rows = await query(
    sql`SELECT * FROM ${table(length)} WHERE series = ${number} AND begin ${among(begins, 'int8')}`,
  );
  return new Map(rows.map((row) => [Number(row[0]), readRollUp(length, series, row)]));
}
