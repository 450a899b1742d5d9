import type { PostgresQuery } from '../../postgres/postgres-database.ts';
import type { SlotRecord } from '../probe-record.ts';
import { bySeries } from '../rows/own-slots.ts';
import { cellsOfSample, cellsOfSlot } from '../rows/slot-row.ts';
import { taker } from './changed-hours.ts';
import { columnsOf } from './columns.ts';
import { reach } from './series-rows.ts';

/** One that is locked here has its samples to itself until the transaction ends. */
const putSlots = `
  INSERT INTO results.slots
  SELECT planned, $1, state, outcome, raw_outcome, started, finished, slow, stale, age, certificate_end, more
  FROM unnest($2::int8[], $3::int2[], $4::int2[], $5::int2[], $6::int8[], $7::int8[], $8::int2[], $9::int2[], $10::int8[],
    $11::int8[], $12::text[])
    AS each (planned, state, outcome, raw_outcome, started, finished, slow, stale, age, certificate_end, more)
  ON CONFLICT (planned, series) DO UPDATE SET
    (state, outcome, raw_outcome, started, finished, slow, stale, age, certificate_end, more) = (excluded.state,
      excluded.outcome, excluded.raw_outcome, excluded.started, excluded.finished, excluded.slow, excluded.stale,
      excluded.age, excluded.certificate_end, excluded.more)
  WHERE NOT $13 OR excluded.outcome IS NOT NULL OR slots.outcome IS NULL
  RETURNING planned`;

const putSamples = `
  INSERT INTO results.samples
  SELECT planned, $1, number, at, kind, pool, status, dns, connect, tls, send, wait, receive, total, since_planned
  FROM unnest($2::int8[], $3::int4[], $4::int8[], $5::int2[], $6::text[], $7::int4[], $8::int8[], $9::int8[],
    $10::int8[], $11::int8[], $12::int8[], $13::int8[], $14::int8[], $15::int8[])
    AS each (planned, number, at, kind, pool, status, dns, connect, tls, send, wait, receive, total, since_planned)`;

/**
 * Each in place of the one that is there; `keepFuller`: not of one that has an outcome where the new one has none.
 * Left out are those whose hour is kept as a roll-up alone: it has counted them already.
 */
export async function writeSlots(
  query: PostgresQuery,
  slots: readonly SlotRecord[],
  keepFuller: boolean,
): Promise<void> {
  for (const own of bySeries(slots)) {
    const series = await reach(query, own);
    const takes = await taker(query, series, own.slots);
    const taken = standing(own.slots.filter(takes), keepFuller);
    if (taken.length > 0) await put(query, series, taken, keepFuller);
  }
}

/** One slot for each planned instant: of several the last, as if they came one after the other. */
function standing(slots: readonly SlotRecord[], keepFuller: boolean): SlotRecord[] {
  const last = new Map<number, SlotRecord>();
  for (const slot of slots) {
    const before = last.get(slot.scheduledAt);
    const isLess = slot.outcome === undefined && before?.outcome !== undefined;
    if (!(keepFuller && isLess)) last.set(slot.scheduledAt, slot);
  }
  // In one order, so that two that write the same slots wait for each other and not in a circle.
  return [...last.values()].toSorted((a, b) => a.scheduledAt - b.scheduledAt);
}

async function put(
  query: PostgresQuery,
  series: number,
  slots: readonly SlotRecord[],
  keepFuller: boolean,
): Promise<void> {
  const rows = slots.map((slot) => [slot.scheduledAt, ...cellsOfSlot(slot)]);
  const written = await query(putSlots, [series, ...columnsOf(rows, 11), keepFuller]);
  const places = new Set(written.map(({ planned }) => Number(planned)));
  await query('DELETE FROM results.samples WHERE series = $1 AND planned = ANY ($2::int8[])', [
    series,
    [...places],
  ]);
  const samples = slots.filter(({ scheduledAt }) => places.has(scheduledAt)).flatMap(sampleRows);
  if (samples.length > 0) await query(putSamples, [series, ...columnsOf(samples, 14)]);
}

function sampleRows({ scheduledAt, samples }: SlotRecord): unknown[][] {
  return samples.map((sample, number) => {
    const [at, kind, pool, ...rest] = cellsOfSample(sample, scheduledAt);
    return [scheduledAt, number, at, kind, pool === null ? null : JSON.stringify(pool), ...rest];
  });
}
