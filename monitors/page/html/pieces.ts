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
import { foldedAddress, isServed, type PageState, partAddress } from './page-state.ts';

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

/** Returns the cell of a percentile with its interval; gray, without one, if there are too few samples to estimate it. */
function percentileCell(percentile: Percentile | undefined, write: Write): Cell {
  if (!percentile) return numberCell(unknown);
  const { value, isGray } = percentile;
  return numberCell(
    isGray
      ? markup`<span class="gray">(${write(value)})</span><small>too few samples: this is the largest</small>`
      : markup`${write(value)}<small>${rangeText(percentile, write)}</small>`,
  );
}

/** Returns the cells of n and the percentiles of a sample. */
export function percentileCells(percentiles: Percentiles | undefined, write: Write): Cell[] {
  const cells = [0, 1, 2].map((index) => percentileCell(percentiles?.at[index], write));
  return [countCell(percentiles?.n ?? 0), ...cells];
}

/**
 * Renders the first rows of a table whose rows are given newest first. Counts the others, which only the store has:
 * `and 20 older incidents in the store.`
 */
export function newestRows({ rows, ...table }: Table, noun: string, maxListed = 100): Markup {
  const older = rows.length - maxListed;
  return markup`${wideTable({ ...table, rows: rows.slice(0, maxListed) })}${older > 0 && markup`<p>and ${plural(older, `older ${noun}`)} in the store.</p>`}`;
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

/** Names the page of a deep run in its folder; a served page links to it. */
export function deepRunPage(state: PageState | undefined, folder: string): Markup {
  const file = markup`<code>${folder}/index.html</code>`;
  const name = folder.split(/[\\/]/).at(-1) ?? '';
  return isServed(state) ? markup`<a href="runs/${encodeURIComponent(name)}/index.html">${file}</a>` : file;
}

/** Renders the link that keeps a part open, or lets it fold, on a page that reloads. */
function keepLink(state: PageState | undefined, id: string): Markup | undefined {
  if (state?.refresh === undefined) return undefined;
  if (!state.open.includes(id))
    return markup`<p class="keep"><a href="${partAddress(state, id)}">Keep this open</a></p>`;
  return markup`<p class="keep"><a href="${foldedAddress(state, id)}">Let this fold</a></p>`;
}
