import { thousands } from '../../contract/reading/thousands.ts';
import type {
  Gated,
  GatedFile,
  GatedRule,
  GateRange,
  GateVerdict,
  RangeCertainty,
} from '../../gate/gated.ts';
import { mark } from '../run/marks.ts';
import { page } from '../run/page.ts';
import { proseTableStyles, wideTable } from '../run/table.ts';
import { formatInstant } from '../words/instant.ts';
import { type Markup, markup } from '../words/markup.ts';
import { plural } from '../words/tally.ts';
import { describeFile, describePair, describeVerdict, listRemarks } from './gate-text.ts';

/** Rows of each list on the page; the files beside it have more. */
const mostShown = 500;

const banners: Readonly<Record<GateVerdict, 'conformant' | 'nonconformant' | 'inconclusive'>> = {
  ...{ sound: 'conformant', damaged: 'nonconformant', unjudged: 'inconclusive' },
};
const marks = { sound: 'passed', damaged: 'failed', unjudged: 'inconclusive' } as const;
const titles = { sound: 'Sound', damaged: 'Damaged', unjudged: 'Not judged' } as const;

/**
 * Renders the result of judging candle files as one HTML file: no script, no request to anywhere, all text of the
 * files escaped. The element with the id `gate` holds the result as JSON, without its ranges.
 */
export function gatePage(gated: Gated, version: string): string {
  const { ranges: _, ...value } = gated;
  return page({
    title: `${titles[gated.verdict]}: ${gated.files.map(({ file }) => file).join(', ')} · Candleproof`,
    header: header(gated),
    main: markup`${lists(gated)}${gated.files.map(fileSection)}${pairSections(gated)}${method(gated, version)}`,
    embedded: { id: 'gate', value },
    moreStyles: proseTableStyles,
  });
}

function header(gated: Gated): Markup {
  const { verdict, files, now, counts } = gated;
  const rows = files.reduce((sum, each) => sum + each.rows, 0);
  return markup`<header class="page-head"><div class="banner ${banners[verdict]}">${mark(marks[verdict])}
<div><p class="brand">Candleproof gate report</p><h1>${titles[verdict]}</h1>
<p class="sentence">${describeVerdict(gated)}.</p>
${listRemarks(gated).map((each) => markup`<p class="remark">${each}.</p>`)}
<p class="target">${files.map(({ file }) => markup`<b>${file}</b> `)}<time datetime="${now}">${formatInstant(now)}</time></p></div></div>
<div class="tiles"><section class="tile"><h2>Rows</h2><p class="large">${thousands(rows)} <small>in ${plural(files.length, 'file')}</small></p></section>
<section class="tile"><h2>Damaged ranges</h2><p class="large">${thousands(counts.breach)} <small>of ${thousands(counts.breach + counts.suspicion + counts.observed)} listed</small></p></section>
<section class="tile"><h2>Gaps</h2><p class="large">${thousands(files.reduce((sum, { gaps }) => sum + gaps.intervals, 0))} <small>${gapWords[gated.gaps]}</small></p></section></div></header>`;
}

const gapWords = {
  none: 'intervals, each of them damage',
  idle: 'intervals, allowed',
  observe: 'intervals without a row',
  sessions: 'intervals without a row',
} as const;

const parts: readonly (readonly [RangeCertainty, id: string, title: string])[] = [
  ['breach', 'damage', 'Damaged ranges'],
  ['suspicion', 'suspected', 'Unlikely, not impossible'],
  ['observed', 'observed', 'Notes'],
];

function lists(gated: Gated): Markup[] {
  return parts.flatMap(([certainty, id, title]) => {
    const ranges = gated.ranges.filter((each) => each.certainty === certainty);
    if (ranges.length === 0) return [];
    const count = gated.counts[certainty];
    const left =
      count > mostShown
        ? markup` The first ${thousands(Math.min(mostShown, ranges.length))} are shown; damage.ndjson has ${thousands(ranges.length)}.`
        : undefined;
    return [
      markup`<section id="${id}"><h2>${title}</h2><p>${plural(count, 'range')}.${left}</p>
${wideTable({ caption: title, heads: ['Line', 'From', 'To', 'Rows', 'What', 'Why'], rows: ranges.slice(0, mostShown).map((each) => rangeCells(each, gated.files.length > 1)) })}</section>`,
    ];
  });
}

function rangeCells(
  { file, line, fromIso, toIso, rows, kind, rules, detail, suspects }: GateRange,
  names: boolean,
) {
  const either = suspects && markup` ${suspects.join(' or ')} is wrong; nothing decides which.`;
  return [
    { value: names ? markup`${file}:${line}` : String(line), is: 'name' as const },
    ...[fromIso, toIso].map((each) => markup`<time datetime="${each}">${formatInstant(each)}</time>`),
    { value: thousands(rows), is: 'number' as const },
    kind,
    markup`${detail}${either && '.'}${either}${rules.map((each) => markup` <code>${each}</code>`)}`,
  ];
}

function fileSection(file: GatedFile, at: number): Markup {
  const { form, phase, gridNotJudged, order } = file;
  const columns = Object.entries(form?.columns ?? {}).map(
    ([role, name]) => markup`${role} <code>${name}</code> `,
  );
  return markup`<section id="file-${at + 1}"><h2>${file.file}</h2><p>${describeFile(file)}.</p>
<ul class="facts">${form && markup`<li>${form.kind === 'csv' ? 'Separated values' : 'Lines of JSON'}; times in ${form.unit === 'iso' ? 'text' : form.unit}; ${columns}</li>`}
${order && markup`<li>Rows in ${order} order</li>`}${phase !== undefined && markup`<li>Intervals begin ${thousands(phase)} s after a multiple of their length</li>`}
${gridNotJudged !== undefined && markup`<li>Grid and gaps are not judged: ${gridNotJudged}</li>`}</ul>
${ruleTable(`Rules on ${file.file}`, file.rules, 'Rows')}</section>`;
}

function pairSections({ pairs }: Gated): Markup[] {
  return pairs.map(
    (
      pair,
      at,
    ) => markup`<section id="pair-${at + 1}"><h2>Candles and their parts</h2><p>${describePair(pair)}.</p>
${pair.notJudged === undefined && ruleTable(`Rules on ${pair.longer} and ${pair.shorter}`, pair.rules, 'Candles')}</section>`,
  );
}

function ruleTable(caption: string, rules: readonly GatedRule[], unit: string): Markup {
  const rows = rules.map(({ id, level, statement, judged, broken }) => [
    { value: markup`<code>${id}</code>`, is: 'name' as const },
    level,
    statement,
    ...[judged === 0 ? 'not judged' : thousands(judged), thousands(broken)].map((value) => ({
      value,
      is: 'number' as const,
    })),
  ]);
  return wideTable({
    caption,
    heads: ['Rule', 'Level', 'Statement', `${unit} judged`, 'Broken'],
    numbersFrom: 3,
    rows,
  });
}

function method({ gaps, now, leftOut }: Gated, version: string): Markup {
  return markup`<section id="method"><h2>Method</h2><ul class="facts"><li>Each row was judged once, as it was read, by the rules that candles alone can break; the same rules judge an API.</li>
<li>Missing intervals: <code>--gaps ${gaps}</code>. Starts are stamps; what ends after ${formatInstant(now)} is open or of the future, and no damage.</li>
<li>A candle is held against its parts where all of them are there, closed, and sound in themselves.</li>
${leftOut > 0 && markup`<li>${thousands(leftOut)} more ranges were counted and are not listed.</li>`}<li>Candleproof ${version}</li></ul></section>`;
}
