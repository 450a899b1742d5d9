import type { Outcome } from '@candleproof/law/judge/verdict';
import { formatPercent, thousands } from '@candleproof/law/reading/words';
import { mark } from '@candleproof/reports/run/marks';
import { type Cell, numberCell, type Table, wideTable } from '@candleproof/reports/run/table';
import {
  countText,
  intervalText,
  plural,
  rangeText,
  unknown,
  type Write,
} from '@candleproof/reports/words/format';
import { type Markup, markup, type Part } from '@candleproof/reports/words/markup';
import type { GoodShare, ObjectiveState, Percentile, Percentiles } from '../estimates.ts';
import { objectiveWords } from '../wording.ts';

const markOf: Readonly<Record<ObjectiveState, Outcome>> = {
  met: 'passed',
  missed: 'failed',
  undecided: 'inconclusive',
};

/** Renders the mark of an objective's state. */
export function objectiveMark(standing: ObjectiveState): Markup {
  return mark(markOf[standing]);
}

/** Renders an objective's mark and its word. */
export function objectiveTag(standing: ObjectiveState): Markup {
  return markup`<span class="standing ${standing}">${objectiveMark(standing)} ${objectiveWords[standing]}</span>`;
}

/** Returns the cell of a share with its count and interval, and its independent samples if they widen the interval. */
export function shareCell(share: GoodShare | undefined): Cell {
  if (!share) return numberCell(unknown);
  const { total, independent } = share;
  const isWidened = independent < total * 0.95;
  return numberCell(
    markup`${formatPercent(share.share)}<small>${countText(share)}</small><small>${intervalText(share.interval)}</small>${isWidened && markup`<small>≈ ${thousands(Math.round(independent))} independent samples</small>`}`,
  );
}

/** Returns the table cell of a count. */
export function countCell(count: number | undefined): Cell {
  return numberCell(count === undefined ? unknown : thousands(count));
}

/** Returns the cell of a percentile with its interval; gray if no sample is expected beyond it. */
function percentileCell(percentile: Percentile | undefined, write: Write): Cell {
  if (!percentile) return numberCell(unknown);
  const { value, isGrey } = percentile;
  return numberCell(
    isGrey
      ? markup`<span class="grey">(${write(value)})</span><small>no more than the largest so far</small>`
      : markup`${write(value)}<small>${rangeText(percentile, write)}</small>`,
  );
}

/** Returns the cells of n and the percentiles of a sample. */
export function percentileCells(percentiles: Percentiles | undefined, write: Write): Cell[] {
  const cells = [0, 1, 2].map((index) => percentileCell(percentiles?.at[index], write));
  return [countCell(percentiles?.n ?? 0), ...cells];
}

/** Renders the newest rows of a table, and counts the others, which are in the store. */
export function firstRows({ rows, ...table }: Table, noun: string, maxListed = 100): Markup {
  const more = rows.length - maxListed;
  return markup`${wideTable({ ...table, rows: rows.slice(0, maxListed) })}${more > 0 && markup`<p>and ${plural(more, `more ${noun}`)} before, in the store.</p>`}`;
}

/** Renders a part that is folded below its heading and a remark; a link to its id opens it. */
export function foldedPart(
  state: PageState | undefined,
  id: string,
  title: string,
  remark: Part,
  content: Part,
): Markup {
  return markup`<details class="fold"${state?.open.includes(id) && ' open'}><summary><h2 id="${id}-title">${title}</h2> <span>${remark}</span></summary>
<section id="${id}" aria-labelledby="${id}-title">${keepLink(state, id)}${content}</section></details>`;
}

/** A reader's choices on a served page, which its address keeps across reloads. */
export type PageState = {
  /** Seconds until the page reloads; undefined for one that is held. */
  readonly refresh?: number | undefined;
  /** The target that the page shows in full; undefined for the index of all. */
  readonly target?: string | undefined;
  readonly window?: string | undefined;
  /** The file of each target's page, for pages that are written beside each other; undefined for served ones. */
  readonly files?: ReadonlyMap<string, string> | undefined;
  /** Ids of the parts that stay open. */
  readonly open: readonly string[];
};

/** The number of parts that an address keeps open; a page has fewer. */
const mostOpen = 40;

/** Reads the choices from the query of an address; invalid ones are ignored. */
export function readPageState(query: string, refresh?: number): PageState {
  const named = new URLSearchParams(query);
  const open = (named.get('open') ?? '').split(',').filter((id) => /^[a-z]+(-[a-z0-9]{1,9})*$/.test(id));
  const [target, window] = ['target', 'window'].map((name) => named.get(name) ?? undefined);
  return { refresh, target, window, open: [...new Set(open)].slice(0, mostOpen) };
}

/** Returns the address of a page with these choices, relative to itself. */
export function stateAddress({ target, window, open }: PageState): string {
  const named = new URLSearchParams({
    ...(target !== undefined && { target }),
    ...(window && { window }),
    ...(open.length > 0 && { open: open.join() }),
  });
  return `?${named}`;
}

/** Names the page of a deep run in its folder; a served page links to it. */
export function deepRunPage(state: PageState | undefined, folder: string): Markup {
  const file = markup`<code>${folder}/index.html</code>`;
  const name = folder.split(/[\\/]/).at(-1) ?? '';
  return isServed(state) ? markup`<a href="runs/${encodeURIComponent(name)}/index.html">${file}</a>` : file;
}

/** Returns whether a page is served, and keeps the choices of its reader in its address. */
export function isServed(state: PageState | undefined): state is PageState {
  return state !== undefined && state.files === undefined;
}

/** Returns the address of the page of a target, or of the index; a served one keeps the window. */
export function pageAddress({ window, files }: PageState, target?: string): string {
  if (files) return target === undefined ? indexFile : (files.get(target) ?? indexFile);
  return stateAddress({ window, target, open: [] });
}

/** The first file of a report. */
export const indexFile = 'index.html';

/** Returns the address of a part; on a page that reloads, one that keeps it and its holder open. */
export function partAddress(state: PageState | undefined, id: string, holder = id): string {
  if (state?.refresh === undefined) return `#${id}`;
  return `${stateAddress({ ...state, open: [...new Set([...state.open, holder, id])] })}#${id}`;
}

/** Renders the link that keeps a part open, or lets it fold, on a page that reloads. */
function keepLink(state: PageState | undefined, id: string): Markup | undefined {
  if (state?.refresh === undefined) return undefined;
  if (!state.open.includes(id))
    return markup`<p class="keep"><a href="${partAddress(state, id)}">Keep this open</a></p>`;
  const open = state.open.filter((other) => other !== id);
  return markup`<p class="keep"><a href="${stateAddress({ ...state, open })}">Let this fold</a></p>`;
}
