import { formatPercent, thousands } from '@candleproof/law/reading/words';
import { type DayRecord, type Looks, monthOutage, sumIndicator } from '@candleproof/monitors/page/months';
import { formatFailure, type Indicator } from '@candleproof/monitors/results/probe-record';
import { mark } from '@candleproof/reports/run/marks';
import { type Cell, nameCell, numberCell, wideTable } from '@candleproof/reports/run/table';
import { clip } from '@candleproof/reports/words/escape';
import { durationText, instantText, plural } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { indicatorInWords, type MonthRecord, monthPath } from '../month.ts';
import { slugify } from '../records.ts';
import type { SiteFile, SiteRecords } from '../site-records.ts';
import type { Story } from '../story.ts';
import { monthBars, monthHead } from './month-head.ts';
import { plainHead, rootFrom, sitePage } from './site-page.ts';
import { nowLine } from './story-words.ts';

/** Returns the pages of all months: one for each month of a target, for all its locations. */
export function monthFiles({ months, stories }: Pick<SiteRecords, 'months' | 'stories'>): SiteFile[] {
  return [...Map.groupBy(months, monthPath)].map(([path, records]) => {
    const story = stories.find(({ target }) => target.slug === records[0]?.slug);
    return monthFile(path, records, story);
  });
}

function monthFile(path: string, records: readonly MonthRecord[], story: Story | undefined): SiteFile {
  const { target, month } = records[0] ?? { target: '', month: '' };
  const name = clip(target, 80);
  return sitePage({
    path,
    title: `${name}, ${month} · monitors`,
    crumb: `${name} ${month}`,
    parents: [['Monitors', 'monitor/']],
    sheets: ['monitor'],
    header: monthHead(`${name}, ${month}`, records, [
      ...records.map(headLine),
      ...(story ? [runLine(story, rootFrom(path))] : []),
    ]),
    main: markup`${records.map((monthRecord, at) => locationPart(monthRecord, at))}`,
  });
}

/** Words the verdict of the last full run, which judges more than probes do. */
function runLine(story: Story, root: string): Markup {
  const { judged, latest } = story;
  return markup`Full runs of this target: ${nowLine(story, root)}; the newest of ${(judged ?? latest).startedAt.slice(0, 10)}.`;
}

function headLine(record: MonthRecord): Markup {
  const { location, isOver, to } = record;
  return markup`From ${clip(location, 80)}${!isOver && `, until ${instantText(to)}`}: ${measuredInWords(record)}.`;
}

/** `availability: 99.76 %, 4,310 of 4,320, objective 99.5 %; …`: only availability if no objective was set. */
function measuredInWords(record: MonthRecord): string {
  const { days, objectives } = record;
  if (objectives.length === 0) return `availability ${goodInWords(sumIndicator(days, 'availability'))}`;
  const measured = objectives.map(
    ({ indicator, objective }) =>
      `${indicatorInWords(record, indicator)}: ${goodInWords(sumIndicator(days, indicator))}, objective ${Number((100 * objective).toPrecision(6))} %`,
  );
  return measured.join('; ');
}

function locationPart(month: MonthRecord, at: number): Markup {
  const { location, days, incidents } = month;
  const name = clip(location, 80);
  return markup`<section aria-labelledby="l${at}"><h2 id="l${at}">Seen from ${name}</h2>
${monthBars(month)}${wideTable({ caption: `Days, seen from ${name}`, heads: ['Day (UTC)', 'Slots run', 'Available', 'By the first attempt', 'No breach seen', 'Fast', 'Fresh'], numbersFrom: 1, rows: listSpans(days).map((span) => dayRow(span, month)) })}
<h3>${plural(incidents.length, 'incident')}</h3>${incidents.length > 0 && wideTable({ caption: `Incidents, seen from ${name}`, heads: ['Since (UTC)', 'What', 'At least', 'At most', 'Bad slots', 'First attempt', 'Second attempt'], rows: incidents.map((incident) => incidentRow(incident, month)) })}
<p><a href="${slugify(location)}.json">This month as JSON</a></p></section>`;
}

/** The good and bad slots of an indicator. */
type Counts = ReturnType<typeof sumIndicator>;

/** Consecutive days that share a row. */
type DaySpan = readonly [DayRecord, ...DayRecord[]];

/** Groups consecutive days on which every slot ran and was good; each other day stands alone. */
function listSpans(days: readonly DayRecord[]): DaySpan[] {
  const spans: [DayRecord, ...DayRecord[]][] = [];
  for (const day of days) {
    const last = spans.at(-1);
    const before = last?.at(-1);
    const isNext = before && Date.parse(day.day) - Date.parse(before.day) === 86_400_000;
    if (last && isNext && isGood(before) && isGood(day)) last.push(day);
    else spans.push([day]);
  }
  return spans;
}

function isGood({ due, ran, indicators, firstLook }: DayRecord): boolean {
  return ran === due && [...Object.values(indicators), firstLook].every((counts) => (counts?.bad ?? 0) === 0);
}

/** Renders a row; a share below its objective, or any bad slot where there is none, is marked. */
function dayRow(days: DaySpan, { objectives }: MonthRecord): Cell[] {
  const [{ day }] = days;
  const last = days.at(-1)?.day ?? day;
  const count = (of: 'due' | 'ran'): string => thousands(days.reduce((sum, record) => sum + record[of], 0));
  const of = (indicator: Indicator, counts = sumMeasured(days, indicator)): Cell => {
    if (!counts) return numberCell('–');
    const { good, bad } = counts;
    const text = `${thousands(good)} of ${thousands(good + bad)}`;
    const objective = objectives.find((one) => one.indicator === indicator)?.objective ?? 1;
    return numberCell(
      good < objective * (good + bad) ? markup`${mark('failed')} <b class="below">${text}</b>` : text,
    );
  };
  return [
    nameCell(days.length > 1 ? `${day} to ${last.slice(8)}, ${days.length} days` : day),
    numberCell(`${count('ran')} of ${count('due')}`),
    of('availability'),
    of('availability', sumFirstLooks(days)),
    ...(['correctness', 'latency', 'freshness'] as const).map((indicator) => of(indicator)),
  ];
}

function sumMeasured(days: DaySpan, indicator: Indicator): Counts | undefined {
  return days.some(({ indicators }) => indicators[indicator]) ? sumIndicator(days, indicator) : undefined;
}

function sumFirstLooks(days: DaySpan): Counts | undefined {
  const looks = days.map(({ firstLook }) => firstLook);
  return looks.reduce((sum, look) => sum && look && { good: sum.good + look.good, bad: sum.bad + look.bad });
}

function incidentRow(incident: MonthRecord['incidents'][number], month: MonthRecord): (Cell | string)[] {
  const { least, most, isOpen } = monthOutage(incident, month);
  const { begin, indicator, slots, looks, notes = [] } = incident;
  return [
    instantText(begin),
    `${indicator}${looks ? ` of ${clip(looks.probe, 80)}` : ''}`,
    least > 0 ? durationText(least) : 'one probe',
    `${most === undefined ? 'since before the first probe' : durationText(most)}${isOpen ? ', ongoing' : ''}`,
    numberCell(slots),
    lookText(looks, 'first'),
    {
      value: markup`${lookText(looks, 'second')}${notes.map(({ at, words }) => markup`<div>${instantText(at)} ${clip(words, 300)}</div>`)}`,
    },
  ];
}

/** Words an attempt; a deleted slot has no attempts left. */
function lookText(looks: Looks | undefined, which: 'first' | 'second'): string {
  const failure = looks?.[which];
  return failure ? clip(formatFailure(failure), 120) : looks ? 'none' : 'kept no longer';
}

/** `99.76 %, 4,310 of 4,320`; `not measured` without slots. */
function goodInWords({ good, bad }: Counts): string {
  const of = good + bad;
  return of === 0 ? 'not measured' : `${formatPercent(good / of)}, ${thousands(good)} of ${thousands(of)}`;
}

/** Renders the newest month against the objectives, and all months of a target. */
export function monthsOfTarget(
  slug: string,
  months: readonly MonthRecord[],
  root: string,
): Markup | undefined {
  const targetMonths = months.filter((month) => month.slug === slug);
  const [newest] = targetMonths;
  if (!newest) return undefined;
  return markup`<section id="objectives" aria-labelledby="objectives-title"><h2 id="objectives-title">Watched</h2>
<p class="lead">In ${newest.month}${!newest.isOver && ', so far'}, from ${newest.location}: ${measuredInWords(newest)}.</p>
<ul class="change-list">${targetMonths.map((monthRecord) => monthLine(monthRecord, root))}</ul></section>`;
}

function monthLine(month: MonthRecord, root: string): Markup {
  return markup`<li><a href="${root}${monthPath(month)}">${month.month}</a> from ${month.location}: availability ${goodInWords(sumIndicator(month.days, 'availability'))}, ${indicatorInWords(month, 'correctness')} ${goodInWords(sumIndicator(month.days, 'correctness'))}, ${plural(month.incidents.length, 'incident')}</li>`;
}

/** Returns the page that lists all months of the monitors. */
export function monitorListFile({ months }: SiteRecords): SiteFile {
  const targets = [...Map.groupBy(months, ({ slug }) => slug)];
  return sitePage({
    path: 'monitor/',
    title: 'Monitored months',
    crumb: 'Monitors',
    header: plainHead('Candleproof', 'Monitored months', [
      'Results of scheduled probes by month. Finished months do not change.',
    ]),
    main:
      months.length === 0
        ? markup`<p class="lead">No month was published here. <code>npx candleproof monitor</code> records them, and <code>publish</code> adds them from its folder.</p>`
        : markup`${targets.map(([slug, records], at) => markup`<section aria-labelledby="m${at}"><h2 id="m${at}">${records[0]?.target ?? slug}</h2><ul class="change-list">${records.map((monthRecord) => monthLine(monthRecord, '../'))}</ul></section>`)}`,
  });
}
