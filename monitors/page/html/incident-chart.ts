import { region } from '@candleproof/reports/run/table';
import { clip } from '@candleproof/reports/words/escape';
import { instantText, plural } from '@candleproof/reports/words/format';
import { type Markup, markup, unit } from '@candleproof/reports/words/markup';
import type { Indicator } from '../../results/probe-record.ts';
import { daysShown, lastDays } from '../days.ts';
import type { Outage } from '../outages.ts';
import type { MonitorSummary } from '../view.ts';
import { watchId, watchName } from '../watches.ts';
import { monthLabels } from './day-bars.ts';

const [left, pitch, row] = [190, 8, 20];
const longestName = 26;

/** More rows, or bars in a row, would be longer than anyone reads. */
const mostRows = 40;
const mostBars = 200;

/** Kinds of incidents, by what clients met; each has a height of its own beside its color. */
const kinds: Readonly<Record<Indicator, string>> = {
  availability: 'down',
  correctness: 'wrong',
  freshness: 'stale',
  latency: 'slow',
};

/** Draws all incidents of the days shown on one axis, a row for each watch that had any. */
export function incidentChart({ outages, watches, now }: MonitorSummary): Markup | undefined {
  const byWatch = Map.groupBy(outages, ({ incident }) => watchId(incident));
  const rows = watches.filter(({ watch }) => byWatch.has(watchId(watch))).slice(0, mostRows);
  if (rows.length === 0) return undefined;
  const begins = lastDays(now, daysShown);
  const [first = now] = begins;
  const width = daysShown * pitch;
  const x = (at: number): number =>
    left + Math.max(0, Math.min(width, (width * (at - first)) / (86_400_000 * daysShown)));
  const foot = rows.length * row;
  const svg = markup`<svg class="chart incidents" viewBox="0 0 ${left + width} ${foot + 16}" role="img" aria-labelledby="incident-chart"><title id="incident-chart">${plural(outages.length, 'incident')} on one axis</title>${rows.map(({ watch }, at) => markup`<text class="tick" x="0" y="${at * row + 13}">${clip(watchName(watch), longestName)}</text><path class="base" d="M${left} ${at * row + 10}h${width}"/>${(byWatch.get(watchId(watch)) ?? []).slice(0, mostBars).map((outage) => bar(outage, at * row, x, now))}`)}${monthLabels(begins, { left, pitch, y: foot + 12 })}</svg>`;
  return markup`<figure class="wide">${region('Incidents on one axis', svg, 'newest')}<figcaption>From the first bad probe to the last, at least 3 h wide: <b class="key-down">no answer</b>, <b class="key-wrong">wrong</b> (hollow), <b class="key-stale">stale or slow</b> (low).</figcaption></figure>`;
}

function bar({ incident, isOpen }: Outage, top: number, x: (at: number) => number, now: number): Markup {
  const { target, location, indicator, begin, lastBad, slots } = incident;
  const [from, to] = [x(begin), x(isOpen ? now : lastBad)];
  const isLow = indicator === 'freshness' || indicator === 'latency';
  return markup`<rect class="${kinds[indicator]}" x="${unit(from)}" y="${top + (isLow ? 8 : 4)}" width="${unit(Math.max(1, to - from))}" height="${isLow ? 6 : 12}"><title>${target} from ${location}: ${indicator}, ${instantText(begin)} to ${isOpen ? 'now' : instantText(lastBad)}, ${plural(slots, 'bad slot')}</title></rect>`;
}

export const incidentStyles = `
.incidents .down { fill: var(--bad); } .incidents .wrong { fill: var(--fail-wash); stroke: var(--fail); stroke-width: 1.5; } .incidents :is(.stale, .slow) { fill: url(#hatch); } figure.wide svg.incidents { min-width: 52rem; } @media print { figure.wide svg.incidents { min-width: 0; } .incidents .tick { font-size: 15px; } } :is(.key-down, .key-wrong) { color: var(--fail); } .key-stale { color: var(--warn); }
`;
