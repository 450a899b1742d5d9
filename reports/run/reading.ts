import type { GroundCell, Run } from '@candleproof/law/judge/verdict';
import { addressAll } from '../candles/addressed.ts';
import { candlesSvg } from '../candles/svg.ts';
import { type Markup, markup } from '../words/markup.ts';
import { mark } from './marks.ts';

/** Renders candles that a run without findings read, and which of its target's candles it requested: green is not empty. */
export function readingPart({ read, ground }: Pick<Run, 'read' | 'ground'>): Markup | undefined {
  const sample = read?.sample;
  if (!sample) return undefined;
  const { pool, interval, address } = sample;
  const candles = addressAll(sample.candles, address);
  return markup`<section class="sheet" aria-labelledby="reading-title"><h2 id="reading-title">What was read</h2><div class="reading">
<figure>${candlesSvg(candles, 'sample')}<figcaption><p>${candles.length} of the ${interval} candles of ${pool}, the newest closed ones; times in UTC</p></figcaption></figure>
${ground?.grid && gridTable(ground.grid)}</div></section>`;
}

function gridTable(grid: readonly GroundCell[]): Markup {
  const requested = grid.filter((cell) => cell.requested).length;
  const intervals = [...new Set(grid.map(({ interval }) => interval))];
  const rows = [
    ...Map.groupBy(grid, ({ operation, inverted }) => `${operation}${inverted ? ', inverted' : ''}`),
  ];
  return markup`<table class="ground"><caption>${requested} of ${grid.length} kinds of candles requested</caption><thead><tr><td></td>${intervals.map((interval) => markup`<th scope="col">${interval}</th>`)}</tr></thead>
<tbody>${rows.map(([name, cells]) => markup`<tr><th scope="row">${name}</th>${intervals.map((interval) => gridCell(cells.find((cell) => cell.interval === interval)))}</tr>`)}</tbody></table>`;
}

function gridCell(cell: GroundCell | undefined): Markup {
  if (!cell) return markup`<td></td>`;
  const [outcome, words] = cell.requested
    ? (['passed', 'requested'] as const)
    : (['unexercised', 'not requested'] as const);
  return markup`<td>${mark(outcome)}<span class="visually-hidden"> ${words}</span></td>`;
}
