import { capitalize, thousands } from '@candleproof/law/reading/words';
import { formatSpan } from '../candles/figures.ts';
import type { RunExplanation } from '../words/causes.ts';
import { axisLabel, formatAmount, formatMinute, plural } from '../words/format.ts';
import { candleId, type Markup, markup, unit } from '../words/markup.ts';
import { formatFactor, namePart, nameSide, type RunWitnesses, wordLink } from '../words/witness-words.ts';
import type { RowLink } from './picture.ts';
import { region } from './table.ts';

/** Renders what speaks for an explanation: which parts of the data agree, and the wrong rows beside what others show. */
export function witnessesPart(explanation: RunExplanation, row: RowLink): Markup | undefined {
  const { witnesses, rows } = explanation;
  if (!witnesses || witnesses.links.length === 0) return undefined;
  return markup`<section class="sheet" aria-labelledby="witnesses-title"><h2 id="witnesses-title">Which one is wrong?</h2>
${region('How often the parts agree', agreementSvg(witnesses))}</section>
${witnesses.rows.length > 0 && markup`<section class="sheet" aria-labelledby="wrong-rows-title"><h2 id="wrong-rows-title">${rowsTitle(witnesses)}</h2>${barsPart(witnesses)}${rowsTable(witnesses, rows?.wrong ?? 0, row)}</section>`}`;
}

const box = { width: 116, height: 50, gap: 62, top: 38, margin: 12 } as const;

/** Parts that are drawn: of an API with more intervals, those without a disagreement are left out first. */
const mostParts = 6;

/**
 * Draws the compared parts in a row, each joined to the next by how often both agree, and beneath them the agreement of
 * parts around a wrong one.
 */
function agreementSvg(witnesses: RunWitnesses): Markup {
  const { parts, links } = chooseDrawn(witnesses);
  const width = parts.length * (box.width + box.gap) - box.gap + 2 * box.margin;
  const around = links.filter((link) => spans(link, parts));
  const left = (at: number): number => box.margin + at * (box.width + box.gap);
  const height = box.top + box.height + 26 * around.length + 10;
  const said = links.map((link) => {
    const names = link.parts.map((at) => namePart(parts[at] ?? noPart));
    return `${names.join(' and ')}: ${wordLink(link)}, ${thousands(link.agreeing)} of ${thousands(link.of)} agree`;
  });
  return markup`<svg class="agreement" width="${width}" height="${height}" role="img" aria-label="${said.join('; ')}">
${parts.map(
  (part, at) =>
    markup`<rect class="${part.isWrong ? 'part wrong' : 'part'}" x="${left(at)}" y="${box.top}" width="${box.width}" height="${box.height}" rx="8"/><text class="${part.isWrong ? 'name wrong' : 'name'}" x="${left(at) + box.width / 2}" y="${box.top + 22}">${part.interval ?? namePart(part)}</text><text x="${left(at) + box.width / 2}" y="${box.top + 39}">${part.interval !== undefined && part.inverted !== undefined && `${nameSide(part.inverted)}, `}${plural(part.candles, 'candle')}</text>${
      part.isWrong &&
      agreesWithNone(at, links) &&
      markup`<text class="wrong" x="${left(at) + box.width / 2}" y="${box.top - 14}">agrees with no other</text>`
    }`,
)}${links.filter(({ parts: [one, other] }) => Math.abs(one - other) === 1).map((link) => joint(link, left(Math.min(...link.parts))))}${around.map((link, depth) => arc(link, left, depth))}</svg>`;
}

const noPart = { candles: 0, isWrong: false };

type Link = RunWitnesses['links'][number];

function chooseDrawn({ parts, links }: RunWitnesses): Pick<RunWitnesses, 'parts' | 'links'> {
  if (parts.length <= mostParts) return { parts, links };
  const differing = new Set(links.flatMap((link) => (link.agreeing < link.of ? link.parts : [])));
  const places = [...parts.keys()]
    .toSorted((a, b) => Number(differing.has(b)) - Number(differing.has(a)) || a - b)
    .slice(0, mostParts)
    .sort((a, b) => a - b);
  return {
    parts: places.flatMap((at) => parts[at] ?? []),
    links: links.flatMap((link) => {
      const [one, other] = link.parts.map((at) => places.indexOf(at));
      return one === undefined || other === undefined || Math.min(one, other) < 0
        ? []
        : [{ ...link, parts: [one, other] as const }];
    }),
  };
}

/** Returns whether two sound parts have a wrong one between them, or two directions another part. */
function spans({ parts: [one, other] }: Link, parts: RunWitnesses['parts']): boolean {
  if (Math.abs(one - other) < 2) return false;
  if (parts[one]?.inverted !== parts[other]?.inverted) return true;
  const between = parts.slice(Math.min(one, other) + 1, Math.max(one, other));
  return !parts[one]?.isWrong && !parts[other]?.isWrong && between.some(({ isWrong }) => isWrong);
}

function agreesWithNone(at: number, links: readonly Link[]): boolean {
  return links.filter(({ parts }) => parts.includes(at)).every(({ agreeing }) => agreeing === 0);
}

/** Joins a part to the next one. */
function joint(link: Link, x: number): Markup {
  const [from, middle, y] = [x + box.width, x + box.width + box.gap / 2, box.top + box.height / 2];
  const tone = link.agreeing === link.of ? 'agree' : 'wrong';
  return markup`<path class="${tone}" d="M${from} ${y}h${box.gap}"/><text class="${tone}" x="${middle}" y="${y - 8}">${wordLink(link)}</text><text class="${tone}" x="${middle}" y="${y + 17}">${thousands(link.agreeing)} of ${thousands(link.of)}</text>`;
}

function arc(link: Link, left: (at: number) => number, depth: number): Markup {
  const [from, to] = link.parts.toSorted((a, b) => a - b).map((at) => left(at) + box.width / 2 + 8 * depth);
  const [start, end, bottom] = [from ?? 0, to ?? 0, box.top + box.height];
  const drop = 22 + 26 * depth;
  const tone = link.agreeing === link.of ? 'agree' : 'wrong';
  return markup`<path class="${tone}" d="M${start} ${bottom}v${drop}H${end}v-${drop}"/><text class="${tone}" x="${(start + end) / 2}" y="${bottom + drop - 4}">${wordLink(link)}: ${thousands(link.agreeing)} of ${thousands(link.of)}</text>`;
}

/** Bars that are drawn, of one pool. */
const mostBars = 14;

function rowsTitle({ field, parts }: RunWitnesses): string {
  const wrong = parts.filter(({ isWrong }) => isWrong);
  const named = wrong.length === 1 ? `${namePart(wrong[0] ?? noPart)} ` : '';
  return capitalize(`${field} of ${named}candles, as served and as others show it`);
}

/** Draws amounts, whose bars begin at zero; prices would hardly differ in length. */
function barsPart({ rows, field }: RunWitnesses): Markup | undefined {
  const drawn = rows.filter(({ pool }) => pool === rows[0]?.pool).slice(0, mostBars);
  const most = Math.max(...drawn.flatMap(({ actual, expected }) => [actual, expected]));
  const isDrawn =
    drawn.every(({ actual, expected }) => Math.min(actual, expected) >= 0) &&
    drawn.some(({ actual, expected }) => Math.abs(actual - expected) > visibleShare * most);
  if (!isDrawn || drawn.length < 2 || !(most > 0)) return undefined;
  const step = 640 / Math.max(drawn.length, 6);
  const tall = (value: number): number => (130 * value) / most;
  return markup`<p class="remark"><i class="served"></i> served <i class="shown"></i> shown by others; ${drawn[0]?.pool}, times in UTC</p>${region(
    `Bars of ${field}`,
    markup`<svg class="agreement bars" width="656" height="190" role="img" aria-label="${field} of ${plural(drawn.length, 'candle')}, as served and as others show it">
<path class="base" d="M10 164h640"/>${drawn.map((one, at) => {
      const x = 14 + at * step;
      const width = Math.min(18, step * 0.4);
      const bar = (name: string, value: number, by: number): Markup =>
        markup`<rect class="${name}" x="${unit(x + by)}" y="${unit(164 - tall(value))}" width="${unit(width)}" height="${unit(Math.max(1, tall(value)))}"/>`;
      return markup`<g><title>${formatSpan(one.start, one.end)}: served ${formatAmount(one.actual)}, others show ${formatAmount(one.expected)}</title>${bar('served', one.actual, 0)}${bar('shown', one.expected, width + 1)}<text x="${unit(x + width)}" y="182">${axisLabel(one.start, one.end - one.start)}</text><text class="wrong" x="${unit(x + width)}" y="${unit(158 - tall(Math.max(one.actual, one.expected)))}">${ratio(one)}</text></g>`;
    })}</svg>`,
  )}`;
}

/** The least difference, as a share of the longest bar, that a reader sees. */
const visibleShare = 0.03;

/** `×2`; empty if there is none, or if it takes too much room. */
function ratio({ actual, expected }: RunWitnesses['rows'][number]): string {
  const value = actual / expected;
  return Number.isFinite(value) ? formatFactor(value) : '';
}

/** Tables of more rows are folded. */
const mostOpen = 25;

function rowsTable({ rows }: RunWitnesses, wrong: number, row: RowLink): Markup {
  const more = wrong - rows.length;
  return markup`<details${rows.length <= mostOpen && ' open'}><summary>${more > 0 ? `The first ${rows.length} of ${thousands(wrong)} rows` : plural(rows.length, 'row')} as a table</summary>
${region(
  'Wrong rows',
  markup`<table class="wrong-rows"><thead><tr><th scope="col">Start (UTC)</th><th scope="col">Pool</th><th scope="col" class="number">Shown by others</th><th scope="col" class="number">Served</th><th scope="col" class="number">Ratio</th><th scope="col">Answer</th></tr></thead>
<tbody>${rows.map((one) => {
    const { pool, start, actual, expected, exchange, pointer } = one;
    const href = row(exchange, pointer);
    const name = `exchange ${exchange}`;
    return markup`<tr${candleId(one)}><td>${formatMinute(start)}</td><td>${pool}</td><td class="number">${formatAmount(expected)}</td><td class="number fail">${formatAmount(actual)}</td><td class="number">${ratio(one)}</td><td>${href === undefined ? name : markup`<a href="${href}">${name}</a>`}</td></tr>`;
  })}</tbody></table>`,
)}</details>`;
}
