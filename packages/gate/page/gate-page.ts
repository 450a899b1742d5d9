import { thousands } from '@candleproof/law/reading/words';
import { lanesSvg } from '@candleproof/reports/candles/lanes';
import { candlesSvg } from '@candleproof/reports/candles/svg';
import { banner, factsLine } from '@candleproof/reports/run/marks';
import { contentLinks, page } from '@candleproof/reports/run/page';
import { nameCell, numberCell, proseTableStyles, wideTable } from '@candleproof/reports/run/table';
import { formatInstant, formatPrice, plural } from '@candleproof/reports/words/format';
import { joinParts, type Markup, markup, unit } from '@candleproof/reports/words/markup';
import type { Gated, GatedFile, GatedRule, GateRange, RangeCertainty } from '../gated.ts';
import { describeFile, describePair, describeVerdict, listRemarks, withBaseNames } from './gate-text.ts';

/** Rows of each list on the page; the files beside it have more. */
const mostShown = 500;

const verdicts = {
  ...({ sound: 'conformant', suspected: 'nonconformant', different: 'nonconformant' } as const),
  ...({ damaged: 'nonconformant', unjudged: 'inconclusive' } as const),
};
const titles = {
  ...({ sound: 'Sound', suspected: 'Suspected', different: 'Different' } as const),
  ...({ damaged: 'Damaged', unjudged: 'Not judged' } as const),
};

/**
 * Renders the result of judging candle files as one HTML file: no script, no external request, all text of the files
 * escaped. The element with the id `gate` holds the result as JSON, without its ranges.
 */
export function gatePage(result: Gated, version: string): string {
  const { ranges: _, worst: __, ...value } = result;
  const gated = withBaseNames(result);
  return page({
    title: `${titles[gated.verdict]}: ${gated.files.map(({ file }) => file).join(', ')} · Candleproof`,
    kind: 'gate report',
    contents: contentLinks([
      ...parts.flatMap(([certainty, id, , words]) =>
        gated.counts[certainty] > 0 ? [[`#${id}`, gated.counts[certainty], words] as const] : [],
      ),
      ['#file-1', gated.files.length, gated.files.length === 1 ? 'file' : 'files'],
      ['#method', undefined, 'Method'],
    ]),
    header: header(gated),
    main: markup`${lists(gated)}${gated.files.map(fileSection)}${pairSections(gated)}${method(gated, version)}`,
    embedded: { id: 'gate', value },
    moreStyles: proseTableStyles + stripStyles,
  });
}

function header(gated: Gated): Markup {
  const { verdict, files, now } = gated;
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const missing = files.reduce((sum, { gaps }) => sum + gaps.intervals, 0);
  const facts = [
    markup`${files.map(({ file }, index) => markup`${index > 0 && ', '}<b>${file}</b>`)}`,
    markup`<time datetime="${now}">${formatInstant(now)}</time>`,
    plural(rows, 'row'),
    `${plural(missing, 'interval')} without a row (--gaps ${gated.gaps})`,
  ];
  const lines = markup`${factsLine(facts)}${listRemarks(gated).map((remark) => markup`<p class="remark">${remark}.</p>`)}`;
  return markup`<header class="page-head">${banner(verdicts[verdict], describeVerdict(gated), describeWorst(gated) ?? describeVerdict(gated), lines)}
${worstFigure(gated)}${files.map((file, at) => fileStrip(file, at, gated))}</header>`;
}

/** `7 damaged ranges in 2 files; the worst: line 2,002 of BTC-5m.csv, high: at least 6 was expected, 4 is there` */
function describeWorst({ worst, counts, files }: Gated): string | undefined {
  if (!worst) return undefined;
  const { file, line, detail } = worst.range;
  const rounded = detail.replace(/\d+\.\d{8,}/g, (text) => formatPrice(Number(text)));
  if (counts.breach === 1) return `${file}:${line}: ${rounded}`;
  const all = `${plural(counts.breach, 'damaged range')}${files.length > 1 ? ` in ${files.length} files` : ''}`;
  return `${all}; the worst: line ${thousands(line)} of ${file}, ${rounded}`;
}

const mostMissing = 12;

/** Draws the candles around the worst damage; for a roll-up, the candle and its parts. */
function worstFigure({ worst }: Gated): Markup | undefined {
  if (!worst || worst.candles.length === 0) return undefined;
  const { kind, from, to, line, file } = worst.range;
  const candles = worst.candles.map((candle) => ({
    ...candle,
    offending: candle.start >= from && candle.end <= to,
  }));
  const length = Math.min(...candles.map(({ start, end }) => end - start));
  const count = kind === 'gap' || kind === 'unreadable' ? Math.round((to - from) / length) : 0;
  const missing = Array.from({ length: Math.min(mostMissing, count) }, (_, at) => {
    const start = from + at * length;
    return { start, end: start + length };
  });
  const lane = { name: file, candles, missing, lack: kind === 'unreadable' ? kind : 'missing' };
  const place = `line ${thousands(line)} of ${file}`;
  const sentence = kind === 'rollup' ? `The candle of ${place} and its parts` : `The candles around ${place}`;
  const isSeries = count > 0 || kind === 'duplicate';
  return markup`<figure class="evidence"><figcaption><b>${sentence}</b></figcaption>${isSeries ? lanesSvg([lane], sentence, 'worst') : candlesSvg(candles, 'worst')}</figure>`;
}

/** Units of a strip, and the ranges that it shows; more would merge. */
const strip = { width: 1000, height: 34 };
const mostOnStrip = 400;

/** Renders a whole file on one time axis with its damage; undefined for a file without times. */
function fileStrip(
  { file, from, to, parts = [] }: GatedFile,
  at: number,
  { ranges }: Gated,
): Markup | undefined {
  if (from === undefined || to === undefined || to <= from) return undefined;
  const x = (seconds: number): number =>
    (strip.width * Math.min(Math.max(seconds - from, 0), to - from)) / (to - from);
  const names = [file, ...parts.map((part) => part.file)];
  const fileRanges = ranges.filter((range) => names.includes(range.file) && range.certainty !== 'observed');
  const drawn = fileRanges.slice(0, mostOnStrip).map((gateRange) => {
    const left = Math.min(x(gateRange.from), strip.width - 4);
    return markup`<rect class="${gateRange.certainty === 'breach' ? 'lost' : 'doubt'}" x="${unit(left)}" y="4" width="${unit(Math.max(4, x(gateRange.to) - left))}" height="26"><title>${parts.length > 0 && `${gateRange.file}, `}line ${gateRange.line}: ${gateRange.kind}, ${gateRange.detail}</title></rect>`;
  });
  return markup`<figure class="file-strip"><figcaption><a href="#file-${at + 1}">${file}</a>: ${fileRanges.length === 0 ? 'no damage' : plural(fileRanges.length, 'marked range')}</figcaption>
<svg viewBox="0 0 ${strip.width} ${strip.height}" preserveAspectRatio="none" role="img" aria-label="${file} over time, with ${plural(fileRanges.length, 'marked range')}"><rect class="whole" x="0" y="10" width="${strip.width}" height="14"/>${drawn}</svg>
<p class="ends"><span>${formatInstant(new Date(1000 * from).toISOString())}</span> <span>${formatInstant(new Date(1000 * to).toISOString())}</span></p></figure>`;
}

const stripStyles = `
figure.file-strip { display: block; margin: var(--s3) 0 0; } .file-strip svg { display: block; width: 100%; max-width: none; height: 2.2rem; margin-top: var(--s1); } .file-strip .whole { fill: var(--ok); } .file-strip .lost { fill: var(--bad); stroke: var(--sheet); stroke-dasharray: none; } .file-strip .doubt { fill: url(#stripes); stroke: var(--sheet); }
.ends { display: flex; justify-content: space-between; gap: var(--s4); font-size: var(--sm); color: var(--soft); }
`;

const parts: readonly (readonly [RangeCertainty, id: string, title: string, words: string])[] = [
  ['breach', 'damage', 'Damaged ranges', 'damaged'],
  ['suspicion', 'suspected', 'Unlikely, not impossible', 'unlikely'],
  ['observed', 'observed', 'Notes', 'noted'],
];

function lists(gated: Gated): Markup[] {
  const names = gated.files.length > 1 || gated.files.some(({ parts: files }) => files !== undefined);
  return parts.flatMap(([certainty, id, title]) => {
    const ranges = gated.ranges.filter((range) => range.certainty === certainty);
    if (ranges.length === 0) return [];
    const count = gated.counts[certainty];
    const left =
      count > mostShown &&
      markup` The first ${thousands(Math.min(mostShown, ranges.length))} are shown; damage.ndjson has ${thousands(ranges.length)}.`;
    return [
      markup`<section id="${id}"><h2>${title}</h2><p>${plural(count, 'range')}.${left}</p>
${wideTable({ caption: title, heads: ['Line', 'From', 'To', 'Rows', 'What', 'Why'], rows: ranges.slice(0, mostShown).map((range) => rangeCells(range, names)) })}</section>`,
    ];
  });
}

function rangeCells(
  { file, line, fromIso, toIso, rows, kind, rules, detail, suspects }: GateRange,
  names: boolean,
) {
  const either = suspects && markup` Either ${suspects.join(' or ')} is wrong; the files do not show which.`;
  return [
    nameCell(names ? markup`${file}:${line}` : String(line)),
    ...[fromIso, toIso].map(
      (instant) => markup`<time datetime="${instant}">${formatInstant(instant)}</time>`,
    ),
    numberCell(thousands(rows)),
    kind,
    markup`${detail}${either && '.'}${either}${rules.map((rule) => markup` <code>${rule}</code>`)}`,
  ];
}

function fileSection(file: GatedFile, at: number): Markup {
  const { form, phase, gridNotJudged, order } = file;
  const columns = Object.entries(form?.columns ?? {}).map(
    ([role, name]) => markup`${role}${name !== role && markup` <code>${name}</code>`}`,
  );
  return markup`<section id="file-${at + 1}"><h2>${file.file}</h2><p>${describeFile(file)}.</p>
<ul class="facts">${form && markup`<li>${form.kind === 'csv' ? 'Separated values' : 'Lines of JSON'}; times in ${form.unit === 'iso' ? 'text' : form.unit}; columns: ${joinParts(columns)}</li>`}
${order && markup`<li>Rows in ${order} order</li>`}${phase !== undefined && phase > 0 && markup`<li>Intervals begin ${thousands(phase)} s after a multiple of their length</li>`}
${gridNotJudged !== undefined && markup`<li>The grid is not judged: ${gridNotJudged}</li>`}</ul>
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
    nameCell(markup`<code>${id}</code>`),
    level,
    statement,
    numberCell(judged === 0 ? 'not judged' : thousands(judged)),
    numberCell(thousands(broken)),
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
