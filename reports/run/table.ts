import { type Markup, markup, type Part } from '../words/markup.ts';

/** A cell of a table: a number is aligned right, a name is the head of its row. */
export type Cell = { readonly value: Part; readonly is?: 'name' | 'number'; readonly rows?: number };

/** Returns the head of a row. */
export function nameCell(value: Part): Cell {
  return { value, is: 'name' };
}

/** Returns a cell that is aligned right. */
export function numberCell(value: Part): Cell {
  return { value, is: 'number' };
}

export type Table = {
  /** Names the table and the region that it scrolls in. */
  readonly caption: string;
  readonly heads: readonly string[];
  /** The column from which headings are those of numbers. */
  readonly numbersFrom?: number | undefined;
  readonly rows: readonly (readonly (Cell | Part)[])[];
};

/** Renders a table in a separate region, which scrolls on a narrow screen and is reachable by keyboard. */
export function wideTable({ caption, heads, numbersFrom = heads.length, rows }: Table): Markup {
  const head = heads.map(
    (head, index) => markup`<th scope="col"${index >= numbersFrom && markup` class="amount"`}>${head}</th>`,
  );
  return region(
    caption,
    markup`<table class="wide"><caption class="visually-hidden">${caption}</caption><thead><tr>${head}</tr></thead>
<tbody>${rows.map((cells) => markup`<tr>${cells.map((cell, index) => cellMarkup(cell, heads[index + heads.length - cells.length] ?? ''))}</tr>`)}</tbody></table>`,
  );
}

/** Renders content that may be wider than the screen; a chart of days is scrolled to its newest. */
export function region(name: string, content: Part, opens: 'first' | 'newest' = 'first'): Markup {
  return markup`<div class="scroll${opens === 'newest' && ' newest'}" role="region" tabindex="0" aria-label="${name}">${content}</div>`;
}

/** Renders a cell with the head of its column, which a narrow screen shows beside it. */
function cellMarkup(cell: Cell | Part, head: string): Markup {
  if (!isCell(cell)) return markup`<td data-head="${head}">${cell}</td>`;
  const { value, is, rows = 1 } = cell;
  const span = rows > 1 && markup` rowspan="${rows}"`;
  if (is === 'name') return markup`<th scope="row"${span}>${value}</th>`;
  return markup`<td data-head="${head}"${is === 'number' && markup` class="amount"`}${span}>${value}</td>`;
}

function isCell(cell: Cell | Part): cell is Cell {
  return typeof cell === 'object' && 'value' in cell;
}

/** Renders a part of the page with its heading. */
export function section(id: string, title: string, content: Part): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>`;
}

/** Renders facts with their values, or words with their meanings. */
export function termList(
  kind: 'facts' | 'meanings',
  rows: readonly (readonly [term: Part, text: Part])[],
): Markup {
  return markup`<dl class="${kind}">${rows.map(([term, text]) => markup`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>`;
}

/** Styles of a page of sections and wide tables, such as a load report. */
export const wideTableStyles = `
main > section { margin-top: var(--s6); } .facts { margin-top: var(--s2); padding-left: var(--s4); } .wide { width: 100%; table-layout: auto; } .amount { text-align: right; } .scroll { overflow-x: auto; margin-top: var(--s3); }
.wide th, .wide td { overflow-wrap: normal; } .wide .amount { white-space: nowrap; }
@media (max-width: 34rem) {
  .wide thead { position: static; clip-path: none; } .wide tr { display: table-row; } .wide th, .wide td { border-top: 1px solid var(--line); padding: var(--s2) var(--s2); }
  .wide:has(th:nth-child(5)) :is(th, td) { white-space: nowrap; }
}
@media print { .wide th, .wide td { padding: var(--s1) var(--s2); } .scroll { overflow: visible; } }
`;

/** Styles of a page whose cells hold sentences and rule names, which may break between words. */
export const proseTableStyles = `${wideTableStyles}
.wide code { overflow-wrap: anywhere; } .wide time { white-space: nowrap; }
@media (max-width: 34rem) {
  .wide:has(th:nth-child(5)) :is(th, td) { white-space: normal; } .wide time { display: inline-block; min-width: 6rem; white-space: normal; }
  .wide td:last-child:not(.amount), .wide td:nth-last-child(3):not(.amount) { min-width: 15rem; }
}
@media print { .wide time { white-space: normal; } }
`;
