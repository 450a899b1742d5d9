import type { EventRecord, Json } from '../../../results/results-store.ts';
import { section, wideTable } from '../../run/table.ts';
import { clip } from '../../words/escape.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { readText } from '../event-kinds.ts';
import { instantText } from '../format.ts';
import type { MonitorView } from '../view.ts';
import { shownText } from '../wording.ts';

const mostListed = 100;

/** Alerts that fired and cleared, and what the monitor reported of itself. */
export function alertsPart(view: MonitorView): Markup {
  const { others } = view;
  const none = `None ${shownText(view)}.`;
  const alerts = others.filter(isAlert);
  const own = others.filter((each) => !isAlert(each));
  return markup`${section('alerts', 'Alerts', listing(alerts, 'Alerts', alertText, none))}
${section('monitor-itself', 'The monitor itself', listing(own, 'Events of the monitor', detailText, none))}`;
}

function isAlert({ kind }: EventRecord): boolean {
  return kind.startsWith('alert-');
}

function listing(
  events: readonly EventRecord[],
  caption: string,
  inWords: (event: EventRecord) => string,
  none: string,
): Markup {
  if (events.length === 0) return markup`<p>${none}</p>`;
  const more = events.length - mostListed;
  return markup`${wideTable({
    caption,
    heads: ['When (UTC)', 'What', 'Target', 'Detail'],
    rows: events
      .slice(0, mostListed)
      .map((each) => [
        instantText(each.at),
        each.kind.replace(/^alert-/, '').replaceAll('-', ' '),
        each.target ?? '–',
        inWords(each),
      ]),
  })}${more > 0 && markup`<p>and ${plural(more, 'more event')} before, in the store.</p>`}`;
}

/** `page: availability from fra1, 6 of 12 slots bad in 1h`; of a notice its own words. */
function alertText(event: EventRecord): string {
  const words = readText(event, 'words');
  if (words !== undefined) return clip(words, 300);
  const { windows } = event.detail;
  const what = `${readText(event, 'indicator') ?? ''} from ${readText(event, 'location') ?? '–'}`;
  const burning = Array.isArray(windows) ? windows.map(windowText) : [];
  return clip(`${readText(event, 'severity') ?? 'alert'}: ${[what, ...burning].join(', ')}`, 300);
}

function windowText(window: Json): string {
  const { bad, slots, pair } = { bad: '–', slots: '–', pair: '–', ...(isObject(window) && window) };
  return `${bad} of ${slots} slots bad in ${pair}`;
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `location fra1, since 3`; names in order, so that no store decides. */
function detailText(event: EventRecord): string {
  const { words, ...detail } = event.detail;
  if (typeof words === 'string') return clip(words, 300);
  const parts = Object.entries(detail)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return clip(parts.join(', '), 300);
}
