import { beginOf, day } from '../calendar.ts';
import type { ResultsReader, Span } from '../results-store.ts';

/** Later than any time of a store, and the last that a date can have. */
const endOfTime = 8_640_000_000_000_000;

/** A span in days, so that no more than one has to be held; all that a store has where none is given. */
export async function* piecesOf(store: ResultsReader, span?: Span): AsyncGenerator<Span> {
  const { from, to } = span ?? { from: 0, to: endOfTime };
  const extent = (await store.extent()) ?? { from, to: from };
  // Nothing is planned before and after; what happened there are some events.
  const first = Math.max(from, Math.min(to, extent.from));
  const last = Math.min(to, Math.max(first, extent.to + 1));
  if (from < first) yield { from, to: first };
  for (let begin = first; begin < last; ) {
    const end = Math.min(last, beginOf(begin, day) + day);
    yield { from: begin, to: end };
    begin = end;
  }
  if (last < to) yield { from: last, to };
}
