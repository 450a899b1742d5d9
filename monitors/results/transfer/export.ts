import { type CsvCell, csvLine } from '@candleproof/files/csv-line';
import { day } from '../calendar.ts';
import { timed } from '../hour-record.ts';
import type { ProbeSample, SlotRecord } from '../probe-record.ts';
import type { ResultsReader, Span } from '../results-store.ts';
import type { TransferLine } from './line.ts';

/** A column of the file: its name, its meaning, and the source of its cells. */
export type CsvColumn = {
  readonly name: string;
  readonly meaning: string;
  readonly cell: (slot: SlotRecord, sample?: ProbeSample, number?: number) => CsvCell;
};

/** In the order of the file. Times are ISO 8601 in UTC, durations milliseconds; what is not known is empty. */
export const csvColumns: readonly CsvColumn[] = [
  column('target', 'name of the target', ({ series }) => series.target),
  column('probe', 'name of the probe', ({ series }) => series.probe),
  column('operation', 'operation of the API, or all', ({ series }) => series.operation),
  column('location', 'where the monitor ran', ({ series }) => series.location),
  column('scheduled_at', 'the planned instant', ({ scheduledAt }) => formatInstant(scheduledAt)),
  column('outcome', 'what the slot came to, as confirmed', ({ outcome }) => outcome),
  column('raw_outcome', 'before it was confirmed', ({ outcome, rawOutcome = outcome }) => rawOutcome),
  column('failure_phase', 'where the slot failed', ({ failure }) => failure?.phase),
  column('failure_class', 'how the slot failed', ({ failure }) => failure?.class),
  column('rules', 'rules at must that the slot broke', ({ rules }) => rules.join(' ')),
  column('slow', 'slower than the objective', ({ slow }) => slow),
  column('stale', 'staler than the objective', ({ stale }) => stale),
  column('age_ms', 'age of the newest candle', ({ age }) => age),
  column('reason', 'in words, where something is to be said', ({ reason }) => reason),
  column('request', 'number of the request in its slot, from 1', (_slot, _sample, number) => number),
  column('sent_at', 'its departure', (_slot, sample) => sample && formatInstant(sample.at)),
  column('cold', 'over a new connection', (_slot, sample) => sample?.cold),
  column('confirming', 'the second look at a failure', (_slot, sample) => sample?.confirming),
  column('pool', 'pool that it requested', (_slot, sample) => sample?.pool),
  column('status', 'status of its answer', (_slot, sample) => sample?.status),
  ...timed.map((phase) =>
    column(`${phase}_ms`, `time of ${phase}`, (_slot, sample) => sample?.timings[phase]),
  ),
  column(
    'since_planned_ms',
    "from the planned instant to the answer's end",
    (_slot, sample) => sample?.sincePlanned,
  ),
  column('raw_failure_phase', 'where its first look failed', ({ rawFailure }) => rawFailure?.phase),
  column('raw_failure_class', 'how its first look failed', ({ rawFailure }) => rawFailure?.class),
  column(
    'second_failure_class',
    'why a wrong answer could not be requested again',
    ({ secondFailure }) => secondFailure?.class,
  ),
  column('degraded_by', 'rules at should and objectives that it missed', ({ degradedBy }) =>
    degradedBy?.join(' '),
  ),
];

/** One row for each request of a span, or of all, as RFC 4180 has it; slots without a request are in NDJSON alone. */
export async function* exportCsv(store: ResultsReader, span?: Span): AsyncGenerator<string> {
  yield csvLine(csvColumns.map(({ name }) => name));
  for await (const piece of splitIntoDays(store, span)) {
    const rows = (await store.slots(piece)).flatMap(formatSlot);
    if (rows.length > 0) yield rows.join('');
  }
}

function formatSlot(slot: SlotRecord): string[] {
  return slot.samples.map((sample, index) =>
    csvLine(csvColumns.map(({ cell }) => cell(slot, sample, index + 1))),
  );
}

function column(name: string, meaning: string, cell: CsvColumn['cell']): CsvColumn {
  return { name, meaning, cell };
}

/** Nothing for an instant that no date can have. */
function formatInstant(at: number): string | undefined {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/**
 * Exports a store, or a span of it, as NDJSON in parts of many lines: slots, events and quotas day by day, then the
 * incidents. Pins, deliveries and states stay with the monitor.
 */
export async function* exportLines(store: ResultsReader, span?: Span): AsyncGenerator<string> {
  for await (const piece of splitIntoDays(store, span)) {
    yield* formatLines('slot', await store.slots(piece));
    yield* formatLines('event', await store.events(piece));
    yield* formatLines('quota', await store.quotas(piece));
  }
  yield* formatLines('incident', await store.incidents(span ?? { from: -Infinity, to: Infinity }));
}

function formatLines<Type extends TransferLine['type']>(
  type: Type,
  records: readonly Omit<Extract<TransferLine, { type: Type }>, 'type'>[],
): string[] {
  if (records.length === 0) return [];
  return [records.map((record) => `${JSON.stringify({ type, ...record })}\n`).join('')];
}

/** Behind the last instant that a date can have. */
const endOfTime = 8640000000000001;

/**
 * Splits a span, or everything in a store, into days, so that only one is held in memory. A gap between days with slots
 * is one piece, however long, because it holds few events.
 */
async function* splitIntoDays(store: ResultsReader, span?: Span): AsyncGenerator<Span> {
  const { from, to } = span ?? { from: 0, to: endOfTime };
  const begins = new Set((await store.days({ from, to })).map(({ begin }) => begin));
  let reported = from;
  for (const begin of [...begins].toSorted((one, other) => one - other)) {
    const first = Math.max(from, begin);
    const last = Math.min(to, begin + day);
    if (reported < first) yield { from: reported, to: first };
    yield { from: first, to: last };
    reported = last;
  }
  if (reported < to) yield { from: reported, to };
}
