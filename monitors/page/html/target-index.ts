import { formatPercent } from '@candleproof/law/reading/words';
import { region, section } from '@candleproof/reports/run/table';
import { clip } from '@candleproof/reports/words/escape';
import { dateText, unknown } from '@candleproof/reports/words/format';
import { joinParts, type Markup, markup } from '@candleproof/reports/words/markup';
import { daysShown, lastDays } from '../days.ts';
import { nounText, type Present, presentText } from '../present.ts';
import type { MonitorSummary, WatchSummary } from '../view.ts';
import { objectiveWords } from '../wording.ts';
import { conditionName, presentMark } from './header.ts';
import { type PageState, pageAddress } from './page-state.ts';
import { objectiveMark } from './pieces.ts';
import { shortStrip } from './short-strip.ts';
import { aimText, indicators, type WindowFigure, windowChoice, windowFigures } from './watch-rows.ts';

const longestName = 40;

type Conditions = Present['condition'];

/**
 * Renders a line for each target and place, the worst first and in groups by their condition; a line leads to the page
 * of its target. The words that all lines would repeat stand once below.
 */
export function targetIndex(view: MonitorSummary, state: PageState): Markup {
  const { watches, now, plan } = view;
  const groups = [...Map.groupBy(watches, ({ present }) => present.condition)];
  const [first = now] = lastDays(now, daysShown);
  const heads = ['Target, from', 'State', ...indicators.map((name) => keepTogether(aimText(name, plan)))];
  const head = heads.map(
    (words, at) => markup`<th scope="col"${at > 1 && markup` class="amount"`}>${words}</th>`,
  );
  const columns = heads.length + 1;
  const table = markup`<table class="lines"><caption class="visually-hidden">Targets and places</caption><thead><tr>${head}<th scope="col">${dateText(first)} to ${dateText(now)}</th></tr></thead>
${groups.map(([condition, rows]) => group(condition, rows, { view, state, columns, isOnly: groups.length === 1 }))}</table>`;
  return section(
    'watches',
    'Targets, the worst first',
    markup`<div class="choices">${windowChoice(state)}${tools(groups)}</div>
${region('Targets and places', table)}
<p class="key">% of good slots: ${objectiveMark('met')} met, ${objectiveMark('undecided')} not decided, ${objectiveMark('missed')} missed, of the last 30 d. A bar a day (UTC): <i class="ok"></i> good, <i class="degraded"></i> lower: degraded, <i class="failed"></i> higher: with failures, dashed: without a probe. Counts and intervals are on the page of each target.</p>`,
  );
}

/** Keeps a bound and its unit in one line of a narrow head. */
function keepTogether(words: string): string {
  return words.replaceAll(/(?<=≥) | (?=%)/g, '\u00a0');
}

function tools(groups: readonly (readonly [Conditions, readonly WatchSummary[]])[]): Markup {
  const chips = groups.map(
    ([condition, rows]) =>
      markup`<button type="button" data-is="${condition}" aria-pressed="false">${conditionName(condition)} ${rows.length}</button>`,
  );
  return markup`<div class="tools" hidden><input type="search" aria-label="Search targets" placeholder="Search targets, press /">${chips}<output></output></div>`;
}

type Shown = {
  readonly view: MonitorSummary;
  readonly state: PageState;
  readonly columns: number;
  readonly isOnly: boolean;
};

function group(condition: Conditions, rows: readonly WatchSummary[], shown: Shown): Markup {
  const { view, columns, isOnly } = shown;
  const title = markup`<tr class="group"><th scope="rowgroup" colspan="${columns}">${conditionName(condition)} ${rows.length}</th></tr>`;
  return markup`<tbody data-is="${condition}">${!isOnly && title}
${rows.map((row) => line(row, view.watches.indexOf(row), shown))}</tbody>`;
}

function line(row: WatchSummary, at: number, { view, state }: Shown): Markup {
  const { watch, present, days } = row;
  const cells = indicators.map(
    (name) => markup`<td class="amount">${windowFigures(row, name, state, lineFigure)}</td>`,
  );
  return markup`<tr><th scope="row">${presentMark(present)} <a href="${pageAddress(state, watch.target)}">${clip(watch.target, longestName)}</a> <small>${clip(watch.location, longestName)}</small></th><td>${stateText(row, view.now)}</td>${cells}<td>${shortStrip(days, view.now, `strip-${at + 1}`)}</td></tr>
`;
}

/** Renders a share and the mark of its verdict; the unit and the meanings stand once below the lines. */
function lineFigure({ share, isBelow, judged }: WindowFigure): Markup {
  const text = share ? formatPercent(share.share).replace(' %', '') : unknown;
  return markup`${isBelow ? markup`<b class="below">${text}</b>` : text}${judged && markup` ${objectiveMark(judged.standing)}<span class="visually-hidden"> ${objectiveWords[judged.standing]}</span>`}`;
}

/** `wrong candles since 2026-11-12`; of a target that is well its last bad day. */
function stateText({ present, days }: WatchSummary, now: number): Markup {
  const { condition, troubles } = present;
  if (condition === 'bad')
    return joinParts(
      troubles.map((trouble) => markup`${nounText(trouble)} since ${dateMark(trouble.since)}`),
    );
  if (condition !== 'good') return markup`${presentText(present, now)}`;
  const bad = days.findLast((day) => day.condition === 'failed');
  return bad ? markup`last bad day ${dateMark(bad.begin)}` : markup`no bad day in ${days.length}`;
}

/** Renders a date, which a line does not break. */
function dateMark(at: number): Markup {
  return markup`<time>${dateText(at)}</time>`;
}

export const indexStyles = `
.lines { width: 100%; border-collapse: collapse; table-layout: auto; font-size: var(--sm); overflow-wrap: normal; } .lines :is(th, td) { padding: var(--s1) var(--s3); text-align: left; vertical-align: middle; border-top: 1px solid var(--line); } .lines tbody th { font-size: var(--sm); font-weight: 400; color: var(--ink); } .lines tbody th a { font-weight: 600; } .lines small { display: inline; } .lines td:nth-child(2) { min-width: 11rem; color: var(--soft); font-size: var(--xs); } .lines :is(th, td).amount { text-align: right; } .lines td.amount { white-space: nowrap; }
.lines thead th { border: 0; font-size: var(--xs); vertical-align: bottom; } .lines thead button { font: inherit; padding: 0; border: 0; background: none; color: inherit; text-align: inherit; text-decoration: underline dotted; text-underline-offset: .2em; } .lines thead [aria-sort=ascending] button::after { content: ' ↑'; } .lines thead [aria-sort=descending] button::after { content: ' ↓'; }
.lines .group th { padding-top: var(--s3); font-weight: 600; color: var(--soft); } .lines tr[hidden], .lines tbody[hidden] { display: none; }
.lines td:last-child { width: 12.5rem; } .lines svg { display: block; width: 100%; min-width: 6rem; max-width: none; height: 1.25rem; } .lines .ok { stroke: var(--ok); stroke-width: 23; } .lines .degraded { stroke: var(--warn); stroke-width: 16; } .lines .failed { stroke: var(--bad); stroke-width: 30; } .lines .silent { stroke: var(--soft); stroke-dasharray: 2 2; }
.choices { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s5); align-items: center; } .tools { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: center; font-size: var(--sm); } .tools[hidden] { display: none; } .tools input { font: inherit; min-width: 14rem; padding: var(--s1) var(--s3); color: var(--ink); background: var(--sheet); border: 1px solid var(--soft); border-radius: 7px; } .tools button[aria-pressed=true] { background: var(--ink); color: var(--paper); }
.key { font-size: var(--xs); } .key i:not(.mark) { display: inline-block; width: .6em; height: .8em; forced-color-adjust: none; } .key .ok { background: var(--ok); } .key i.degraded { height: .5em; background: var(--warn); } .key i.failed:not(.mark) { height: 1em; background: var(--bad); }
main > .undecided { margin-top: var(--s4); padding: var(--s2) var(--s3); border-left: 3px solid var(--warn); background: var(--warn-wash); font-size: var(--sm); } .undecided ul { margin-top: var(--s1); padding-left: 1.2em; } main > .undecided > p { margin: 0; } main > .undecided + section { margin-top: var(--s6); }
@media (max-width: 34rem) {
  .lines, .lines tbody { display: block; } .lines thead { position: static; display: block; clip-path: none; } .lines tr { display: grid; grid-template-columns: repeat(4, 1fr); gap: 0 var(--s2); padding: var(--s1) var(--s2); } .lines :is(th, td) { border: 0; padding: 0; overflow-wrap: anywhere; }
  .lines tr > :nth-child(-n + 2) { grid-column: span 2; } .lines td:nth-child(2) { min-width: 0; text-align: right; } .lines tr > :last-child { grid-column: 1 / -1; } .lines svg { width: 100%; height: .75rem; } .lines .group th { grid-column: 1 / -1; }
}
@media print { .tools { display: none; } .lines thead button { display: inline; } .lines { font-size: 8pt; } .lines thead { display: table-header-group; } .lines :is(th, td) { padding: 1px var(--s1); } .lines svg { height: .9rem; } .lines td:nth-child(2) { min-width: 8rem; } }
`;

/**
 * Adds a search, a choice of conditions and sorting to the index of targets, which is complete and sorted without it. It
 * is the same in every index, so that a policy can name its hash, and reads no text as markup.
 */
export const indexScript = `{const table=document.querySelector('table.lines');const tools=document.querySelector('.tools');const search=tools.querySelector('input');const shown=tools.querySelector('output');const chips=[...tools.querySelectorAll('button')];const groups=[...table.tBodies];const rows=groups.flatMap(group=>[...group.rows].filter(row=>!row.className));let chosen='';
const show=()=>{const words=search.value.trim().toLowerCase();let count=0;for(const group of groups){let some=false;for(const row of group.rows){if(row.className)continue;const fits=(!chosen||group.dataset.is===chosen)&&(row.cells[0].textContent+' '+row.cells[1].textContent).toLowerCase().includes(words);row.hidden=!fits;some=some||fits;count+=fits}group.hidden=!some}shown.textContent=count+' of '+rows.length+' rows'};
search.oninput=show;for(const chip of chips)chip.onclick=()=>{chosen=chosen===chip.dataset.is?'':chip.dataset.is;for(const each of chips)each.setAttribute('aria-pressed',String(each.dataset.is===chosen));show()};
document.addEventListener('keydown',event=>{if(event.key==='/'&&event.target!==search){event.preventDefault();search.focus()}if(event.key==='Escape'&&event.target===search){search.value='';show();search.blur()}});
const heads=[...table.tHead.rows[0].cells];heads.slice(0,-1).forEach((head,at)=>{const button=document.createElement('button');button.type='button';button.append(...head.childNodes);head.append(button);button.onclick=()=>{const down=head.getAttribute('aria-sort')==='ascending';for(const each of heads)each.removeAttribute('aria-sort');head.setAttribute('aria-sort',down?'descending':'ascending');const read=row=>{const text=row.cells[at].innerText.trim();if(at<2)return text;const value=parseFloat(text);return isNaN(value)?101:value};const sign=down?-1:1;for(const group of groups)group.append(...[...group.rows].filter(row=>!row.className).map(row=>[read(row),row]).sort(([a],[b])=>sign*(at<2?a.localeCompare(b,'en',{numeric:true}):a-b)).map(([,row])=>row))}});
tools.hidden=false;show()}`;
