import { thousands } from '../../../contract/reading/thousands.ts';
import type { GoodBad } from '../../../results/hour-record.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { indicatorInWords, type MonthRecord, monthPath, sumIndicator } from '../month-record.ts';
import type { SiteFile, SiteRecords } from '../site-records.ts';
import { plainHead, sitePage } from './site-page.ts';

/** `4,310 of 4,320 good`; nothing was measured where there is no slot of it. */
export function goodInWords({ good, bad }: GoodBad): string {
  return good + bad === 0 ? 'not measured' : `${thousands(good)} of ${thousands(good + bad)} good`;
}

/** The newest month against the objectives, and all months of a target. */
export function monthsOfTarget(
  slug: string,
  months: readonly MonthRecord[],
  root: string,
): Markup | undefined {
  const own = months.filter((each) => each.slug === slug);
  const [newest] = own;
  if (!newest) return undefined;
  return markup`<section id="objectives" aria-labelledby="objectives-title"><h2 id="objectives-title">Watched</h2>
<p class="lead">In ${newest.month}${!newest.isOver && ', so far'}, from ${newest.location}: ${newest.objectives.map(({ indicator, objective }, at) => markup`${at > 0 && '; '}${indicatorInWords(newest, indicator)}: ${goodInWords(sumIndicator(newest.days, indicator))}, objective ${Number((100 * objective).toPrecision(6))} %`)}${newest.objectives.length === 0 && `availability ${goodInWords(sumIndicator(newest.days, 'availability'))}`}.</p>
<ul class="change-list">${own.map((each) => monthLine(each, root))}</ul></section>`;
}

function monthLine(month: MonthRecord, root: string): Markup {
  return markup`<li><a href="${root}${monthPath(month)}">${month.month}</a> from ${month.location}: availability ${goodInWords(sumIndicator(month.days, 'availability'))}, ${plural(month.incidents.length, 'incident')}</li>`;
}

/** Returns the page that lists all months of the monitors. */
export function monitorListFile({ months }: SiteRecords): SiteFile {
  const targets = [...Map.groupBy(months, ({ slug }) => slug)];
  const page = sitePage({
    path: 'monitor/',
    title: 'Monitored months',
    trail: [{ name: 'Monitors', path: 'monitor/' }],
    json: 'api/index.json',
    header: plainHead('Candleproof', 'Monitored months', [
      'Months as probes by the clock saw them; one that is over does not change.',
    ]),
    main:
      months.length === 0
        ? markup`<p class="lead">No month was published here.</p>`
        : markup`${targets.map(([slug, own], at) => markup`<section aria-labelledby="m${at}"><h2 id="m${at}">${own[0]?.target ?? slug}</h2><ul class="change-list">${own.map((each) => monthLine(each, '../'))}</ul></section>`)}`,
  });
  return ['monitor/index.html', page];
}
