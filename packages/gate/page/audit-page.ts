import { stamp } from '@candleproof/document/spec/interval';
import { thousands } from '@candleproof/law/reading/words';
import { banner, factsLine } from '@candleproof/reports/run/marks';
import { contentLinks, copyButton, page } from '@candleproof/reports/run/page';
import {
  nameCell,
  numberCell,
  proseTableStyles,
  region,
  section,
  wideTable,
} from '@candleproof/reports/run/table';
import { formatInstant, formatMinute, plural } from '@candleproof/reports/words/format';
import { joinLines, type Markup, markup } from '@candleproof/reports/words/markup';
import type { Audit } from '../audit/audit.ts';
import type { Cause } from '../audit/causes.ts';
import type { Damage } from '../audit/damage.ts';
import type { PastTable } from '../audit/row-states.ts';
import { calendarFigure, calendarKey, calendarStyles, describeLeftOut } from './audit-calendar.ts';
import {
  countConcerned,
  countRanges,
  describeCause,
  describeDays,
  describePlace,
  describeSuspicion,
  writeHeadline,
} from './audit-words.ts';
import { writePandasFilter, writeSqlFilter } from './leave-out.ts';

const verdicts = {
  ...({ sound: 'conformant', suspected: 'nonconformant' } as const),
  ...({ damaged: 'nonconformant', unjudged: 'inconclusive' } as const),
};
const words = {
  sound: 'Sound',
  suspected: 'Suspected',
  damaged: 'Damaged',
  unjudged: 'Not decided',
} as const;

const filterStyles = `
.acts button:first-child { color: var(--paper); background: var(--ink); border-color: var(--ink); } #leave-out .scroll { max-height: 16rem; overflow: auto; } #leave-out p { margin-top: var(--s3); }
#causes code { overflow-wrap: normal; }
@media print { #leave-out { display: none; } }
.wide th[scope=row] { font-size: var(--sm); color: var(--ink); }
`;

/** Ranges that the page lists, and pools that it draws; the file has all ranges. */
const [mostShown, mostDrawn] = [500, 12];

/**
 * Renders an audit as one HTML file: complete without its script, no external request, every text of the target escaped.
 * The element with the id `audit` holds the result as JSON, without its ranges. `tables` are the past.
 */
export function auditPage(audit: Audit, tables: readonly PastTable[], version: string): string {
  const { damage, causes, ...value } = audit;
  const headline = writeHeadline(audit);
  return page({
    title: `${words[audit.verdict]}: ${headline}: ${audit.target.name} · Candleproof`,
    description: headline,
    kind: 'audit',
    contents: contentLinks([
      ['#causes', causes.length, causes.length === 1 ? 'cause' : 'causes'],
      ['#damage', damage.length, damage.length === 1 ? 'range' : 'ranges'],
      ['#method', undefined, 'Method'],
    ]),
    header: header(audit, headline),
    main: markup`${calendars(tables)}${causesTable(causes, damage)}${usableTable(audit)}${filters(damage)}${allRanges(damage)}${section('method', 'Method', markup`<p>All ranges are in <code>damage.ndjson</code>, all answers in <code>exchanges.har</code>, which <code>npx candleproof judge</code> reads. Candleproof ${version}.</p>`)}${report(audit)}`,
    embedded: { id: 'audit', value },
    moreStyles: proseTableStyles + calendarStyles + filterStyles,
    hasCopies: true,
  });
}

function header(audit: Audit, headline: string): Markup {
  const { target, range, pools, requests, candles, divided, trouble, verdict, damage, failing } = audit;
  const facts = [
    markup`<b>${target.name}</b> <span class="url">${target.baseUrl}</span>`,
    `pool${pools.length === 1 ? '' : 's'} ${pools.join(', ')}`,
    `${formatInstant(stamp(range.from))} to ${formatInstant(stamp(range.to))}`,
    `${plural(candles, 'closed row')} in ${plural(requests.sent, 'request')}`,
  ];
  const remarks = [
    ...(failing.length > 0 ? [`Suspicions beyond chance: ${failing.join(', ')}`] : []),
    ...(divided.length > 0 ? [`Not given in one answer: ${divided.join(', ')}`] : []),
    trouble,
  ];
  const acts =
    damage.length > 0 &&
    markup`<p class="acts">${copyButton('sql', 'Copy a filter for SQL')}${copyButton('report', 'Copy the report for the operator')}<a href="damage.ndjson">damage.ndjson</a> <span>${countRanges(damage)}</span></p>`;
  const lines = markup`${factsLine(facts)}${remarks.map((remark) => remark !== undefined && markup`<p class="remark">${remark}.</p>`)}${acts}`;
  return markup`<header class="page-head">${banner(verdicts[verdict], words[verdict], headline, lines)}</header>`;
}

/** `2026-11-01 12:00` */
function timeMarkup(seconds: number): Markup {
  return markup`<time datetime="${stamp(seconds)}">${formatMinute(seconds)}</time>`;
}

/** Draws the shortest intervals of each pool. */
function calendars(tables: readonly PastTable[]): Markup | undefined {
  const ofPools = [...Map.groupBy(tables, ({ pool }) => pool).values()].flatMap(
    (all) => all.find(({ rows }) => rows.length > 0) ?? [],
  );
  if (ofPools.length === 0) return undefined;
  const drawn = ofPools.slice(0, mostDrawn);
  return markup`<div class="calendars">${drawn.map(calendarFigure)}</div>${calendarKey(drawn)}${describeLeftOut(ofPools.length - drawn.length)}`;
}

function causesTable(causes: readonly Cause[], damage: readonly Damage[]): Markup {
  const title = 'What is wrong, by cause';
  if (damage.length === 0)
    return section('causes', title, markup`<p>Nothing: all that was read is sound.</p>`);
  const rows = causes.map((cause) => {
    const { sentence, concerned, example, rules, certainty, ranges } = cause;
    return [
      nameCell(markup`${sentence}${certainty === 'suspicion' && ' (suspected)'}`),
      describePlace(cause),
      markup`${describeDays(cause)}${cause.days && ', '}${timeMarkup(cause.from)} to ${timeMarkup(cause.to)}`,
      numberCell(
        concerned.length > 0
          ? markup`${concerned.map((one, at) => markup`${at > 0 && markup`<br>`}${countConcerned(one)}`)}`
          : plural(ranges, 'range'),
      ),
      markup`${timeMarkup(example.from)}: ${[...describeSuspicion(example), example.detail].join(': ')}`,
      markup`${rules.map((rule) => markup`<code>${rule}</code> `)}`,
    ];
  });
  return section(
    'causes',
    title,
    wideTable({
      caption: 'Causes',
      heads: ['Cause', 'Where', 'When (UTC)', 'Rows', 'Example', 'Rules'],
      rows,
    }),
  );
}

/** Counts what can still be used; columns of which nothing is counted are left out. */
function usableTable({ usable }: Audit): Markup {
  const title = 'What can still be used';
  const columns = (
    [
      ['Damaged', 'damaged'],
      ['Missing', 'missing'],
      ['Not read', 'unread'],
      ['Doubted', 'doubted'],
    ] as const
  ).filter(([, state]) => usable.some((one) => one[state] > 0));
  const rows = usable.map((one) => [
    nameCell(`pool ${one.pool}`),
    one.interval,
    numberCell(`${thousands(one.usable)} of ${thousands(one.intervals)}`),
    ...columns.map(([, state]) => numberCell(thousands(one[state]))),
  ]);
  const heads = ['Pool', 'Interval', 'Usable', ...columns.map(([head]) => head)];
  return section('usable', title, wideTable({ caption: 'Usable rows', heads, numbersFrom: 2, rows }));
}

function filters(damage: readonly Damage[]): Markup | undefined {
  if (damage.length === 0) return undefined;
  return section(
    'leave-out',
    'Leave it out',
    markup`<p>SQL, of a table <code>candles</code> with <code>pool</code>, <code>interval</code> and <code>start</code> in Unix seconds ${copyButton('sql', 'Copy')}</p>
${region('The query', markup`<pre id="sql">${joinLines(writeSqlFilter(damage))}</pre>`)}
<p>pandas, of a frame <code>candles</code> with the same columns ${copyButton('pandas', 'Copy')}</p>
${region('The lines for pandas', markup`<pre id="pandas">${joinLines(writePandasFilter(damage))}</pre>`)}`,
  );
}

function allRanges(damage: readonly Damage[]): Markup | undefined {
  if (damage.length === 0) return undefined;
  const shown = damage.toSorted((a, b) => a.from - b.from || a.to - b.to).slice(0, mostShown);
  const rest = damage.length - shown.length;
  const rows = shown.map((one) => [
    nameCell(`${one.pool} ${one.interval}`),
    ...[one.from, one.to].map(timeMarkup),
    one.kind,
    markup`${[...describeSuspicion(one), one.detail].filter(Boolean).join(': ')}${one.rules.map((rule) => markup` <code>${rule}</code>`)}`,
  ]);
  const heads = ['Pool', 'From (UTC)', 'To (UTC)', 'What', 'Why'];
  return markup`<section id="damage"><details><summary>${damage.length === 1 ? 'The range' : `All ${plural(damage.length, 'range')}`}, in order of time</summary>
${wideTable({ caption: 'Ranges', heads, rows })}${rest > 0 && markup`<p>and ${plural(rest, 'more range')} in damage.ndjson.</p>`}</details></section>`;
}

/** The text that the operator of the target may be sent. */
function report({ causes, target, range }: Audit): Markup {
  const lines = causes.map((cause) => {
    const { example } = cause;
    const place = `${example.pool} ${example.interval} ${example.fromIso}`;
    return `- ${describeCause(cause)} (${describePlace(cause)}); for example ${place}: ${example.detail}`;
  });
  const head = `The past of ${target.baseUrl} from ${stamp(range.from)} to ${stamp(range.to)}:`;
  return markup`<pre id="report" hidden>${joinLines([head, ...lines])}</pre>`;
}
