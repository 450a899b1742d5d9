import { atomFeed, type FeedEntry } from '@candleproof/reports/formats/atom';
import { clip } from '@candleproof/reports/words/escape';
import { instantText } from '@candleproof/reports/words/format';
import { readWork } from '../plan/announced-work.ts';
import { formatFailure } from '../results/probe-record.ts';
import type { EventRecord, IncidentRecord } from '../results/results-store.ts';
import { readText } from './events.ts';
import type { MonitorFacts } from './page-facts.ts';

const mostEntries = 50;
const longestTitle = 120;
const longestSummary = 500;

/** Renders what those who follow a monitor want to know: incidents, planned work, and notes, the newest first. */
export function monitorFeed({
  now,
  incidents,
  events,
}: Pick<MonitorFacts, 'now' | 'incidents' | 'events'>): string {
  const entries = [
    ...incidents.map(incidentEntry),
    ...events.flatMap(workEntry),
    ...events.flatMap(noteEntry),
  ];
  const order = (one: FeedEntry, other: FeedEntry): number =>
    one.updated === other.updated ? (one.id < other.id ? -1 : 1) : one.updated < other.updated ? 1 : -1;
  return atomFeed({
    ...{ title: 'Candleproof: incidents and planned work', id: 'urn:candleproof:incidents' },
    now: new Date(now).toISOString(),
    entries: entries.toSorted(order).slice(0, mostEntries),
  });
}

/** One entry an incident, which is new again when it is over. */
function incidentEntry({ id, target, location, indicator, begin, end, failures }: IncidentRecord): FeedEntry {
  const causes = [...new Set(failures.map(formatFailure))].join(', ');
  const lasted = end === undefined ? 'and it lasts' : `over since ${instantText(end)} UTC`;
  return {
    title: clip(`${target}: ${indicator}${end === undefined ? '' : ', over'}`, longestTitle),
    id: `urn:candleproof:${id}`,
    updated: new Date(end ?? begin).toISOString(),
    link: `./?target=${encodeURIComponent(target)}`,
    summary: clip(
      `${causes || indicator} as seen from ${location} since ${instantText(begin)} UTC, ${lasted}`,
      longestSummary,
    ),
  };
}

function workEntry(event: EventRecord): FeedEntry[] {
  const work = readWork(event);
  if (!work) return [];
  const { target, from, to, words } = work;
  const isEnd = to <= from;
  return [
    makeEntry(event, {
      title: `${target}: planned work${isEnd ? ' is over' : ''}`,
      summary: isEnd ? words : `until ${instantText(to)} UTC: ${words}`,
    }),
  ];
}

function noteEntry(event: EventRecord): FeedEntry[] {
  if (event.kind !== 'note') return [];
  const about = event.target ?? readText(event, 'about') ?? '';
  return [makeEntry(event, { title: `${about}: note`, summary: readText(event, 'words') ?? '' })];
}

function makeEntry(
  { kind, at, target = '' }: EventRecord,
  { title, summary }: Pick<FeedEntry, 'title' | 'summary'>,
): FeedEntry {
  return {
    title: clip(title, longestTitle),
    id: `urn:candleproof:${kind}:${encodeURIComponent(target)}:${at}`,
    updated: new Date(at).toISOString(),
    link: target === '' ? './' : `./?target=${encodeURIComponent(target)}`,
    summary: clip(summary, longestSummary),
  };
}
