import { readFileSync } from 'node:fs';
import { loadStyles } from '@candleproof/load/page/chart';
import { monitorStyles } from '@candleproof/monitors/page/html/styles';
import { styleSheet } from '@candleproof/reports/run/page';
import type { SiteFile } from '../site-records.ts';
import { siteScript } from './site-script.ts';

const schema = new URL('../site.schema.json', import.meta.url);

/** Returns style sheets, the script and the schema, which are the same for every site of a version. */
export function siteAssets(): SiteFile[] {
  return [
    ['assets/site.css', styleSheet(siteStyles)],
    ['assets/load.css', loadStyles],
    ['assets/monitor.css', monitorStyles],
    ['api/schema.json', readFileSync(schema, 'utf8')],
    ['assets/site.js', siteScript()],
  ];
}

/** Styles of the site's pages in addition to those of a report. */
export const siteStyles = `
nav.trail { margin: 0 0 var(--s4); padding-top: var(--s3); gap: var(--s1) var(--s2); font-size: var(--sm); } nav.trail span { color: var(--soft); }
footer { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); margin-top: var(--s7); padding-top: var(--s3); border-top: 1px solid var(--line); font-size: var(--sm); }
nav.trail a, footer a, td .id a, td .reason a { display: inline-block; min-height: 1.5rem; }
.plain h1 { font-size: var(--xl); } .plain .sentence { max-width: 46rem; }
section > h3 + p { margin-top: var(--s1); } section > :is(.side, details, svg) + h3, h2 + h3 { margin-top: var(--s4); } .banner h1 a { color: inherit; }
.matrix { table-layout: auto; width: auto; min-width: 100%; font-size: var(--sm); } .matrix th, .matrix td { padding: var(--s2) var(--s3); min-width: 8rem; } .matrix thead th { font-size: var(--sm); color: var(--ink); } .matrix :is(thead td, tbody th) { position: sticky; left: 0; z-index: 1; width: 19rem; min-width: clamp(8.5rem, 26vw, 17rem); background: var(--sheet); font-size: var(--sm); font-weight: 400; color: var(--ink); } .matrix small { display: block; color: var(--soft); }
.matrix tbody + tbody tr:first-child > * { border-top: 2px solid var(--soft); } .matrix td a { display: inline-block; min-height: 1.5rem; white-space: normal; } .matrix .wrong { color: var(--fail); font-weight: 600; } .matrix .right { color: var(--pass); } .matrix .open { color: var(--soft); } .matrix a:is(.right, .open) { text-decoration: none; }
[data-search-off] { display: none; } .search input { display: block; width: 100%; max-width: 24rem; font: inherit; padding: var(--s1) var(--s2); color: var(--ink); background: var(--sheet); border: 1px solid var(--soft); border-radius: 3px; } .search { display: block; margin-top: var(--s4); font-size: var(--sm); color: var(--soft); } button.copy { font: inherit; font-size: var(--sm); min-height: 1.5rem; margin-top: var(--s1); padding: var(--s1) var(--s3); color: var(--link); background: var(--sheet); border: 1px solid var(--link); border-radius: 3px; }
.filters { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); margin-top: var(--s4); } .filters a { display: inline-block; min-height: 1.5rem; } .filters [aria-current] { font-weight: 700; color: var(--ink); text-decoration: none; }
.day-strip { display: block; width: 10.5rem; height: auto; } .day-strip text { font: 12px system-ui, 'DejaVu Sans', sans-serif; fill: var(--soft); } .day-strip .passed { fill: var(--ok); } .day-strip :is(.failed, .known) { fill: var(--bad); } .day-strip :is(.inconclusive, .surprised) { fill: url(#hatch); } .day-strip .none { stroke: var(--soft); stroke-dasharray: 2 2; }
.cells { display: flex; flex-wrap: wrap; gap: var(--s1); list-style: none; margin: var(--s3) 0 0; padding: 0; }
.cells li { display: flex; } .break { border-left: 2px solid var(--calm); padding-left: var(--s1); }
.cell { display: inline-grid; place-items: center; width: 1.5rem; height: 1.5rem; border-radius: 3px; font-size: var(--md); color: inherit; }
.cell:hover { background: var(--wash); }
.legend { margin-top: var(--s4); font-size: var(--sm); color: var(--soft); }
.age { color: var(--soft); } .newer { margin-top: var(--s4); }
.side { position: relative; overflow-x: auto; margin-top: var(--s3); border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.side.newest { direction: rtl; } .side.newest > * { direction: ltr; }
.grid-table { table-layout: auto; width: auto; margin: 0 auto 0 0; font-size: var(--sm); border-collapse: separate; border-spacing: 0; }
.grid-table th, .grid-table td { padding: var(--s1) 0; } .grid-table tbody th { position: sticky; left: 0; z-index: 1; padding: var(--s1) var(--s2); width: clamp(15rem, 28vw, 22rem); min-width: clamp(15rem, 28vw, 22rem); background: var(--sheet); font-size: var(--sm); font-weight: 400; color: var(--ink); }
.grid-table td { text-align: center; vertical-align: middle; } .grid-table thead th { vertical-align: bottom; text-align: center; border-top: 0; } .grid-table thead td { position: sticky; left: 0; z-index: 1; border-top: 0; background: var(--sheet); } .grid-table thead .mark { display: block; margin: var(--s1) auto 0; }
.grid-table .date { display: inline-block; min-width: 1.5rem; padding: var(--s1) 0; writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; font-weight: 400; font-size: var(--xs); line-height: 1.5rem; } .grid-table .broken-off { border-left: 2px solid var(--calm); }
.months th:first-child { width: 8rem; } .months .cells { margin: 0; }
.lists { columns: 22rem; column-gap: 2rem; padding-left: var(--s4); } .lists li { break-inside: avoid; } .lists a, .change-list > li > code a { display: inline-block; min-height: 1.5rem; }
.change-list { margin-top: var(--s2); padding-left: var(--s4); } .change-list li { margin-top: var(--s1); }
#difference > section { margin-top: var(--s6); } .counts { margin-top: var(--s4); }
.raw { margin: var(--s2) 0 0; font-size: var(--sm); } .finding:has(:target) { outline: 3px solid var(--link); outline-offset: 2px; }
.exchange-head { table-layout: auto; } .exchange-head th { width: 14rem; } .exchange-head td, .exchange-head th { padding: var(--s1) var(--s4); } .exchange-head tbody th { font-family: var(--mono); font-weight: 400; color: var(--ink); }
.picker { display: flex; flex-wrap: wrap; gap: var(--s3) var(--s5); align-items: end; margin-top: var(--s4); } .picker label { flex: 0 1 24rem; min-width: 0; max-width: 100%; font-size: var(--sm); color: var(--soft); } .picker select { display: block; width: 100%; font: inherit; padding: var(--s1) var(--s2); color: var(--ink); background: var(--sheet); border: 1px solid var(--soft); border-radius: 3px; }
.picker button { font: inherit; padding: var(--s2) var(--s4); color: var(--sheet); background: var(--link); border: 1px solid var(--link); border-radius: 3px; }
.badges img { display: block; max-width: 100%; margin: var(--s2) 0; }
@media (max-width: 34rem) {
  .matrix thead { position: static; clip-path: none; } .matrix tr { display: table-row; } .matrix th, .matrix td { border-top: 1px solid var(--line); padding: var(--s2) var(--s2); } .matrix :is(thead td, tbody th) { width: 8.5rem; max-width: 8.5rem; }
  .lists { columns: auto; } .months thead { max-width: 100%; overflow: hidden; } .exchange-head tr { padding: var(--s1) 0; } .exchange-head th, .exchange-head td { border: 0; padding: 0; } .exchange-head tbody th { flex-basis: 100%; }
  .grid-table thead { position: static; clip-path: none; } .grid-table tr { display: table-row; padding: 0; border: 0; } .grid-table th, .grid-table td { border-top: 1px solid var(--line); }
  .grid-table tbody th { width: 8.5rem; min-width: 8.5rem; }
}
@media print {
  body > nav.trail, footer, .picker, .filters, .search, button.copy, .newer, .badges { display: none; } .side { overflow: visible; border: 0; } .side.newest { direction: ltr; } .matrix :is(thead td, tbody th) { position: static; min-width: 0; } .matrix th, .matrix td { min-width: 0; padding: var(--s1) var(--s2); } 
  .grid-table tbody th, .grid-table thead td { position: static; } .grid-table tbody th { width: 11rem; min-width: 11rem; padding: var(--s1) var(--s1) var(--s1) 0; font-size: var(--xs); } .grid-table .cell { width: 1.1rem; height: 1.1rem; font-size: var(--xs); } .grid-table .date { min-width: 1.1rem; line-height: 1.1rem; font-size: var(--xs); }
}
`;
