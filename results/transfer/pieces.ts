import { day } from '../calendar.ts';
import type { ResultsReader, Span } from '../results-store.ts';

/** Behind the last instant that a date can have. */
const endOfTime = 8_640_000_000_000_001;

/**
 * A span in days, so that no more than one has to be held; all that a store has where none is given. What lies between
 * days with slots, however long it is, is one piece: some events happened there at most.
 */
export async function* piecesOf(store: ResultsReader, span?: Span): AsyncGenerator<Span> {
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
