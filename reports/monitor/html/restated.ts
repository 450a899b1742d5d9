import { thousands } from '../../../contract/reading/thousands.ts';
import type { EventRecord } from '../../../results/results-store.ts';
import { wideTable } from '../../run/table.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { changedFields, type Grace, readNumber, readText } from '../events.ts';
import { durationText, instantText } from '../format.ts';
import type { MonitorView } from '../view.ts';
import { shownText } from '../wording.ts';
import { folded } from './pieces.ts';

const mostListed = 40;

/** Closed candles that were served otherwise later, and how long after their end that still happened. */
export function restatedPart(view: MonitorView): Markup {
  const { events, grace, resets } = view.restatements;
  const none = events.length === 0 && resets.length === 0;
  return folded(
    view.state,
    'restatements',
    'Restatements',
    `${plural(events.length, 'restated candle')}${resets.length > 0 ? `, ${plural(resets.length, 'new network')}` : ''}`,
    none
      ? markup`<p>None ${shownText(view)}: every closed candle that was seen again was the same.</p>`
      : markup`${grace.length > 0 && graceTable(grace)}
${resets.map(resetLine)}
${events.length > 0 && listing(events)}`,
  );
}

function resetLine(event: EventRecord): Markup {
  const count = thousands(readNumber(event, 'candles') ?? 0);
  return markup`<p><b>New network</b> at ${event.target}, ${instantText(event.at)} UTC: none of the ${count} pinned candles was left, and their pins were dropped.</p>`;
}

function graceTable(grace: readonly Grace[]): Markup {
  return wideTable({
    caption: 'How long closed candles are still corrected',
    heads: ['Target', 'Interval', 'Candles', 'Latest correction after the end', 'Fields'],
    rows: grace.map(({ target, interval, candles, from, to, fields }) => [
      { value: target, is: 'name' },
      interval,
      { value: thousands(candles), is: 'number' },
      `between ${durationText(from)} and ${durationText(to)}`,
      Object.entries(fields)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
    ]),
  });
}

function listing(events: readonly EventRecord[]): Markup {
  const more = events.length - mostListed;
  return markup`<details><summary>${plural(events.length, 'restated candle')}</summary>${wideTable({
    caption: 'Restated candles',
    heads: ['Seen (UTC)', 'Target', 'Pool', 'Candle (UTC)', 'Changed'],
    rows: events.slice(0, mostListed).map((event) => {
      const start = readNumber(event, 'start');
      return [
        instantText(event.at),
        event.target ?? '–',
        readNumber(event, 'pool') ?? '–',
        `${readText(event, 'interval') ?? ''} ${start === undefined ? '–' : instantText(start * 1000)}`,
        changedFields(event).join(', '),
      ];
    }),
  })}${more > 0 && markup`<p>and ${plural(more, 'more candle')} before, in the store.</p>`}</details>`;
}
