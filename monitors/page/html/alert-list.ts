import { part } from '@candleproof/reports/run/shown-exchange';
import { numberCell } from '@candleproof/reports/run/table';
import { clip } from '@candleproof/reports/words/escape';
import { durationText, instantText, plural, unknown } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { formatFailure } from '../../results/probe-record.ts';
import type { EventRecord, Json } from '../../results/results-store.ts';
import { readText } from '../events.ts';
import { type IncidentNote, incidentNotes } from '../incident-notes.ts';
import type { Outage } from '../outages.ts';
import type { MonitorSummary } from '../view.ts';
import { shownText } from '../wording.ts';
import { incidentChart } from './incident-chart.ts';
import { incidentEvidence } from './incident-evidence.ts';
import { foldedPart, newestRows } from './pieces.ts';

/** Renders alerts that fired and cleared. */
export function alertsPart(view: MonitorSummary): Markup {
  return eventsPart(view, 'alerts', 'Alerts', view.others.filter(isAlert), 'message', alertText);
}

/** Renders the monitor's own events. */
export function noticesPart(view: MonitorSummary): Markup {
  const notices = view.others.filter((other) => !isAlert(other));
  return eventsPart(view, 'monitor-itself', 'The monitor itself', notices, 'event', detailText);
}

function isAlert({ kind }: EventRecord): boolean {
  return kind.startsWith('alert-') || kind === 'note';
}

function eventsPart(
  view: MonitorSummary,
  id: string,
  title: string,
  events: readonly EventRecord[],
  noun: string,
  inWords: (event: EventRecord) => string,
): Markup {
  const rows = events.map((event) => [
    instantText(event.at),
    event.kind.replace(/^alert-/, '').replaceAll('-', ' '),
    event.target ?? '–',
    inWords(event),
  ]);
  const table = newestRows(
    { caption: `${title}, the newest first`, heads: ['When (UTC)', 'What', 'Target', 'Detail'], rows },
    'event',
  );
  const content = events.length === 0 ? markup`<p>None ${shownText(view)}.</p>` : table;
  return foldedPart(view.state, id, title, plural(events.length, noun), content);
}

/** `page: availability from fra1, 6 of 12 slots bad in 1h`; a notice in its words. */
function alertText(event: EventRecord): string {
  const words = readText(event, 'words');
  if (words !== undefined) return clip(words, 300);
  const { windows } = event.detail;
  const what = `${readText(event, 'indicator') ?? ''} from ${readText(event, 'location') ?? '–'}`;
  const burning = Array.isArray(windows) ? windows.map(windowText) : [];
  return clip(`${readText(event, 'severity') ?? 'alert'}: ${[what, ...burning].join(', ')}`, 300);
}

function windowText(window: Json): string {
  const [bad, slots, pair] = ['bad', 'slots', 'pair'].map((name) => part(window, name) ?? unknown);
  return `${bad} of ${slots} slots bad in ${pair}`;
}

/** `location fra1, since 3`, in the order of names, so that the store does not affect it. */
function detailText(event: EventRecord): string {
  const { words, ...detail } = event.detail;
  if (typeof words === 'string') return clip(words, 300);
  const parts = Object.entries(detail)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return clip(parts.join(', '), 300);
}

/** Renders incidents: when, their least and greatest duration, and the exchange that shows each. */
export function incidentsPart(view: MonitorSummary): Markup {
  const { outages } = view;
  if (outages.length === 0) {
    return foldedPart(view.state, 'incidents', 'Incidents', 'none', markup`<p>None ${shownText(view)}.</p>`);
  }
  const open = outages.filter(({ isOpen }) => isOpen).length;
  const notesOf = incidentNotes(view.others);
  return foldedPart(
    view.state,
    'incidents',
    'Incidents',
    `${outages.length} ${shownText(view)}${open > 0 ? `, ${open} open` : ''}`,
    markup`<p class="lead">At least: from the first bad probe to the last. At most: from the last good probe before to the first good one after. Where nobody looked for two periods an incident ends: that time is in neither figure.</p>
${incidentChart(view)}${newestRows(
  {
    caption: 'Incidents, the newest first',
    heads: ['Since (UTC)', 'Where', 'What', 'At least', 'At most', 'Bad slots', 'Failures'],
    rows: outages.map((outage) => row(outage, notesOf(outage.incident))),
  },
  'incident',
)}
${outages.map((outage, index) => incidentEvidence(outage, index, view.state))}`,
  );
}

function row(
  { incident, least, most, isOpen, unwatched, unwatchedBefore }: Outage,
  notes: readonly IncidentNote[],
) {
  const { target, location, indicator, begin, slots, failures } = incident;
  return [
    instantText(begin),
    `${target} from ${location}`,
    indicator,
    least > 0 ? durationText(least) : 'one probe',
    markup`${most === undefined ? 'since before the first probe' : durationText(most)}${isOpen && unwatched === undefined && markup` <b class="warning">ongoing</b>`}${unwatchedBefore !== undefined && markup`<small>nobody watched for ${durationText(unwatchedBefore)} before it</small>`}${unwatched !== undefined && markup`<small>nobody watched for ${durationText(unwatched)} after it${isOpen && ', until now'}</small>`}`,
    numberCell(slots),
    markup`${[...new Set(failures.map(formatFailure))].toSorted().join(', ') || '–'}${notes.map(({ at, words }) => markup`<div>${instantText(at)} ${words}</div>`)}`,
  ];
}
