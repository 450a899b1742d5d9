import { clip } from '@candleproof/reports/words/escape';
import type { EventRecord, IncidentRecord } from '../results/results-store.ts';
import { newestFirst, readText } from './events.ts';

/** A remark about an incident, in words; `at` in Unix ms. */
export type IncidentNote = { readonly at: number; readonly words: string };

/** Kinds of the events that say which alert belongs to which incident, and of the remarks. */
export const noteKinds = ['note', 'alert-acknowledged', 'alert-fired'] as const;

const mostNotes = 20;
const longestNote = 300;

/**
 * Returns a reader of an incident's notes and acknowledgements, oldest first: those about it, about an alert of it, or
 * about its target while it lasted.
 */
export function incidentNotes(events: readonly EventRecord[]): (incident: IncidentNoted) => IncidentNote[] {
  const alerts = new Map(
    events.flatMap((event) => {
      const [alert, incident] = [readText(event, 'alert'), readText(event, 'incident')];
      return alert !== undefined && incident !== undefined ? [[alert, incident] as const] : [];
    }),
  );
  const remarks = newestFirst(events.filter(({ kind }) => kind === 'note' || kind === 'alert-acknowledged'))
    .reverse()
    .map((event) => ({
      at: event.at,
      words: formatRemark(event),
      about: readText(event, event.kind === 'note' ? 'about' : 'alert') ?? '',
    }));
  return ({ id, target, begin, end = Number.POSITIVE_INFINITY }) =>
    remarks
      .filter(({ at, about }) => {
        const isDuring = about === target && at >= begin && at <= end;
        return about === id || alerts.get(about) === id || isDuring;
      })
      .slice(0, mostNotes)
      .map(({ at, words }) => ({ at, words }));
}

type IncidentNoted = Pick<IncidentRecord, 'id' | 'target' | 'begin' | 'end'>;

/** `kim: their balancer`; `acknowledged by kim: looking at it`. */
function formatRemark(event: EventRecord): string {
  const words = readText(event, 'words') ?? '';
  if (event.kind === 'note') return clip(words, longestNote);
  return clip(words.replace(/^acknowledged: .*? from [^:]*: (?=by )/, 'acknowledged '), longestNote);
}
