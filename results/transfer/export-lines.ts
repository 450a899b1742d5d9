import type { ResultsReader, Span } from '../results-store.ts';
import type { TransferLine } from './line.ts';
import { piecesOf } from './pieces.ts';

/**
 * What a store holds of a span, or all of it, as NDJSON in parts of many lines: slots, events and quotas day by day,
 * then the incidents. Pins, deliveries and states are the monitor's own and stay with it.
 */
export async function* exportLines(store: ResultsReader, span?: Span): AsyncGenerator<string> {
  for await (const piece of piecesOf(store, span)) {
    yield* written('slot', await store.slots(piece));
    yield* written('event', await store.events(piece));
    yield* written('quota', await store.quotas(piece));
  }
  yield* written('incident', await store.incidents(span ?? { from: -Infinity, to: Infinity }));
}

function written<Type extends TransferLine['type']>(
  type: Type,
  records: readonly Omit<Extract<TransferLine, { type: Type }>, 'type'>[],
): string[] {
  if (records.length === 0) return [];
  return [records.map((each) => `${JSON.stringify({ type, ...each })}\n`).join('')];
}
