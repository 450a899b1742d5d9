import { day, hour, roundToBegin } from '../calendar.ts';
import type { ProbeSample, SlotRecord } from '../probe-record.ts';
import type { Span } from '../results-store.ts';
import { sampleTable, slotTable } from '../tables/slots.ts';
import { readRow, type StoredRow, writeRow } from '../tables/table.ts';
import type { DatabaseConnection } from './database.ts';
import { growSums } from './growing-sums.ts';
import type { NumberedSeries } from './series.ts';
import { extendSeries, groupBySeries } from './series.ts';
import { among, plain, rowsOf, sql, table } from './sql.ts';

/** Returns slots of the numbered series in the order of their planned instants; belongs into a snapshot. */
export async function readSlots(
  connection: DatabaseConnection,
  { from, to }: Span,
  numbered: NumberedSeries,
): Promise<SlotRecord[]> {
  const stream = (name: string, order: string): Promise<Iterable<StoredRow>> =>
    connection.stream(
      sql`SELECT * FROM ${table(name)} WHERE planned >= ${from} AND planned < ${to}
        AND series ${among([...numbered.keys()], 'int8')} ORDER BY ${plain(order)}`,
    );
  const samples = new SampleQueue(await stream('samples', 'planned, series, number'));
  const slots: SlotRecord[] = [];
  for (const row of await stream('slots', 'planned, series')) {
    const [scheduledAt, number] = row as [number, number];
    const series = numbered.get(number);
    if (!series) continue;
    const slot = readRow(slotTable, { series, scheduledAt }, row, scheduledAt);
    slots.push(Object.assign(slot, { samples: samples.take(scheduledAt, number) }));
  }
  return slots;
}

/** Samples in the order of their slots, taken slot by slot. */
class SampleQueue {
  readonly #rows: Iterator<StoredRow>;
  #next: StoredRow | undefined;

  constructor(rows: Iterable<StoredRow>) {
    this.#rows = rows[Symbol.iterator]();
    this.#advance();
  }

  take(planned: number, series: number): ProbeSample[] {
    const samples: ProbeSample[] = [];
    for (; this.#next?.[0] === planned && this.#next[1] === series; this.#advance()) {
      samples.push(readRow(sampleTable, {}, this.#next, planned));
    }
    return samples;
  }

  #advance(): void {
    const { done, value } = this.#rows.next();
    this.#next = done ? undefined : value;
  }
}

/** Returns the oldest planned instant of a slot that is still kept whole. */
export async function firstSlot({ query }: DatabaseConnection): Promise<number | undefined> {
  const [[first] = []] = await query(sql`SELECT min(planned) FROM ${table('slots')}`);
  return typeof first === 'number' ? first : undefined;
}

/**
 * Writes slots and replaces existing ones; with `keepFuller`, a stored slot with an outcome is kept over a new one
 * without. Skips slots of hours that exist only as roll-ups, which have counted them already.
 */
export async function writeSlots(
  connection: DatabaseConnection,
  slots: readonly SlotRecord[],
  keepFuller: boolean,
): Promise<void> {
  for (const all of groupBySeries(slots)) {
    const { series } = all;
    const number = await extendSeries(connection, all);
    const open = await findOpenHours(connection, number, all.slots);
    const taken = all.slots.filter(({ scheduledAt }) => open.has(roundToBegin(scheduledAt, hour)));
    if (taken.length === 0) continue;
    const last = keepLastOfEach(taken, keepFuller);
    const span = { from: last[0]?.scheduledAt ?? 0, to: (last.at(-1)?.scheduledAt ?? 0) + 1 };
    const replaced = await readSlots(connection, span, new Map([[number, series]]));
    const written = await putSlots(connection, number, last, keepFuller);
    await growSums(connection, { number, series, slots: written, replaced });
  }
}

/** Returns one slot for each planned instant: of several the last, as if they came one after the other. */
function keepLastOfEach(slots: readonly SlotRecord[], keepFuller: boolean): SlotRecord[] {
  if (slots.length === 1) return [...slots];
  const last = new Map<number, SlotRecord>();
  for (const slot of slots) {
    const before = last.get(slot.scheduledAt);
    const isLess = slot.outcome === undefined && before?.outcome !== undefined;
    if (!(keepFuller && isLess)) last.set(slot.scheduledAt, slot);
  }
  // In one order, so that two that write the same slots wait for each other and not in a circle.
  return [...last.values()].toSorted((a, b) => a.scheduledAt - b.scheduledAt);
}

/** Writes slots, and returns those that were written. */
async function putSlots(
  connection: DatabaseConnection,
  series: number,
  slots: readonly SlotRecord[],
  keepFuller: boolean,
): Promise<SlotRecord[]> {
  const rows = slots.map((slot) => writeRow(slotTable, [slot.scheduledAt, series], slot, slot.scheduledAt));
  await connection.put(slotTable, rows, {
    onConflict: 'replace',
    ...(keepFuller && { where: 'excluded.outcome IS NOT NULL OR slots.outcome IS NULL' }),
  });
  // A slot that is locked here has its samples to itself until the transaction ends.
  const fuller = keepFuller ? await findFuller(connection, series, slots) : new Set();
  const written = slots.filter(({ scheduledAt }) => !fuller.has(scheduledAt));
  const keys = written.map(({ scheduledAt }) => [scheduledAt, series]);
  await connection.remove(sampleTable, ['planned', 'series'], keys);
  const samples = written.flatMap(({ scheduledAt, samples }) =>
    samples.map((sample, index) => writeRow(sampleTable, [scheduledAt, series, index], sample, scheduledAt)),
  );
  await connection.put(sampleTable, samples, { onConflict: 'fail' });
  return written;
}

/** Returns the planned instants at which a stored slot with an outcome is kept over a new one without. */
async function findFuller(
  { query }: DatabaseConnection,
  series: number,
  slots: readonly SlotRecord[],
): Promise<ReadonlySet<unknown>> {
  const announced = slots.flatMap(({ outcome, scheduledAt }) => (outcome === undefined ? [scheduledAt] : []));
  if (announced.length === 0) return new Set();
  const rows = await query(
    sql`SELECT planned FROM ${table('slots')}
      WHERE series = ${series} AND planned ${among(announced, 'int8')} AND outcome IS NOT NULL`,
  );
  return new Set(rows.map(([planned]) => planned));
}

/**
 * Returns the beginnings of those hours of slots that may be written. An hour of which only the sum is left is closed: it
 * could not be made again without what was forgotten.
 */
async function findOpenHours(
  { query }: DatabaseConnection,
  series: number,
  slots: readonly SlotRecord[],
): Promise<ReadonlySet<unknown>> {
  const hours = [...new Set(slots.map(({ scheduledAt }) => roundToBegin(scheduledAt, hour)))];
  const [slotTable, hourTable, days] = [table('slots'), table('hours'), table('days')];
  const ofDay = plain(`wanted.begin - wanted.begin % ${day}`);
  const rows = await query(sql`
    SELECT wanted.begin FROM ${rowsOf(hours, 'begin')} AS wanted
    WHERE CASE
      WHEN EXISTS (SELECT 1 FROM ${table('changed_hours')} AS c WHERE c.begin = wanted.begin AND c.series = ${series})
      THEN TRUE
      WHEN EXISTS (SELECT 1 FROM ${hourTable} AS h WHERE h.begin = wanted.begin AND h.series = ${series})
      THEN EXISTS (SELECT 1 FROM ${slotTable} AS s
        WHERE s.series = ${series} AND s.planned >= wanted.begin AND s.planned < wanted.begin + ${plain(hour)})
      ELSE NOT EXISTS (SELECT 1 FROM ${days} AS d WHERE d.series = ${series} AND d.begin = ${ofDay})
        OR EXISTS (SELECT 1 FROM ${hourTable} AS h
          WHERE h.series = ${series} AND h.begin >= ${ofDay} AND h.begin < ${ofDay} + ${plain(day)})
    END`);
  return new Set(rows.map(([begin]) => begin));
}
