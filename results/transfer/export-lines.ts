import { day } from '../calendar.ts';
import type { ResultsReader, Span } from '../results-store.ts';
import type { TransferLine } from './line.ts';

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
 * A span in days, so that no more than one has to be held; all that a store has where none is given. What lies between
 * days with slots, however long it is, is one piece: some events happened there at most.
 */
export async function* splitIntoDays(store: ResultsReader, span?: Span): AsyncGenerator<Span> {
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
