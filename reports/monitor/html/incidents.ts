import { section, wideTable } from '../../run/table.ts';
import { clip } from '../../words/escape.ts';
import { Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { durationText, instantText } from '../format.ts';
import type { Outage } from '../outages.ts';
import type { MonitorView } from '../view.ts';
import { failureText, shownText } from '../wording.ts';

/** Most incidents that are listed, and most of them with their exchange. */
const mostListed = 100;
const mostEvidence = 20;
const longestEvidence = 1500;

/** When something was bad, for how long at least and at most, and the exchange that shows it. */
export function incidentsPart(view: MonitorView): Markup {
  const { outages } = view;
  if (outages.length === 0) {
    return section('incidents', 'Incidents', markup`<p>None ${shownText(view)}.</p>`);
  }
  const more = outages.length - mostListed;
  return section(
    'incidents',
    'Incidents',
    markup`<p class="lead">At least: from the first bad look to the last. At most: from the last good look before to the first good one after. Where nobody looked for two periods an incident ends: that time is in neither figure.</p>
${wideTable({
  caption: 'Incidents',
  heads: ['Since (UTC)', 'Where', 'What', 'At least', 'At most', 'Bad looks', 'Failures'],
  rows: outages.slice(0, mostListed).map(row),
})}${more > 0 && markup`<p>and ${plural(more, 'more incident')} before, in the store.</p>`}
${outages.slice(0, mostEvidence).map(evidence)}`,
  );
}

function row({ incident, least, most, isOpen, unwatched, unwatchedBefore }: Outage) {
  const { target, location, indicator, begin, slots, failures } = incident;
  return [
    instantText(begin),
    `${target} from ${location}`,
    indicator,
    least > 0 ? durationText(least) : 'one look',
    markup`${most === undefined ? 'since before the first look' : durationText(most)}${isOpen && unwatched === undefined && markup` <b class="warning">goes on</b>`}${unwatchedBefore !== undefined && markup`<small>nobody watched for ${durationText(unwatchedBefore)} before it</small>`}${unwatched !== undefined && markup`<small>nobody watched for ${durationText(unwatched)} after it${isOpen && ', until now'}</small>`}`,
    { value: slots, is: 'number' as const },
    [...new Set(failures.map(failureText))].toSorted().join(', ') || '–',
  ];
}

function evidence({ incident }: Outage): Markup | undefined {
  const { evidence: shown, target, location, indicator, begin } = incident;
  if (shown === undefined) return undefined;
  const lines = clip(JSON.stringify(shown, null, 2), longestEvidence).split('\n');
  return markup`<details><summary>First evidence: ${indicator}, ${target} from ${location}, ${instantText(begin)}</summary><pre>${lines.map((each, index) => [index > 0 && new Markup('\n'), each])}</pre></details>`;
}
