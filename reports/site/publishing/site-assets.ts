import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { loadStyles } from '../../load/chart.ts';
import { monitorStyles } from '../../monitor/html/styles.ts';
import { styles } from '../../run/styles.ts';
import type { SiteFile } from '../site-records.ts';

const schema = new URL('../site.schema.json', import.meta.url);

/** Modules that also run in a browser, without their types: the script and its imports, below reports/. */
const modules = [
  new URL('../../words/escape.ts', import.meta.url),
  new URL('../../words/markup.ts', import.meta.url),
  new URL('../../words/wording.ts', import.meta.url),
  new URL('../../run/marks.ts', import.meta.url),
  new URL('../paths.ts', import.meta.url),
  new URL('../difference.ts', import.meta.url),
  new URL('../pages/difference-part.ts', import.meta.url),
  new URL('../browser/site.ts', import.meta.url),
];

/** Returns style sheets, scripts and the schema, which are the same for every site of a version. */
export function siteAssets(): SiteFile[] {
  return [
    ['assets/site.css', styles + siteStyles],
    ['assets/load.css', loadStyles],
    ['assets/monitor.css', monitorStyles],
    ['api/schema.json', readFileSync(schema, 'utf8')],
    ...modules.map(scriptFile),
  ];
}

function scriptFile(module: URL): SiteFile {
  const [, name = ''] = /.*\/reports\/(.*)\.ts$/.exec(module.pathname) ?? [];
  const plain = stripTypeScriptTypes(readFileSync(module, 'utf8'));
  const text = plain
    .replace(/(from '\.[^']*)\.ts'/g, "$1.js'")
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');
  return [`assets/${name}.js`, text];
}

/** Styles of the site's pages in addition to those of a report. */
export const siteStyles = `
nav.trail { margin: 0 0 1rem; gap: .2rem .5rem; font-size: .92rem; } nav.trail span { color: var(--soft); }
footer { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; margin-top: 3rem; padding-top: .8rem; border-top: 1px solid var(--line); font-size: .92rem; }
nav.trail a, footer a, td .id a, td .reason a { display: inline-block; min-height: 1.5rem; }
.plain h1 { font-size: clamp(1.6rem, 5.5vw, 2.4rem); } .plain .sentence { max-width: 46rem; }
section > h3 + p { margin-top: .2rem; } section > :is(.side, details, svg) + h3, h2 + h3 { margin-top: 1rem; } .banner h1 a { color: inherit; }
.matrix { table-layout: auto; width: auto; min-width: 100%; font-size: .92rem; } .matrix th, .matrix td { padding: .4rem .8rem; min-width: 8rem; } .matrix thead th { font-size: .95rem; color: var(--ink); } .matrix :is(thead td, tbody th) { position: sticky; left: 0; z-index: 1; width: 19rem; min-width: clamp(8.5rem, 26vw, 17rem); background: var(--sheet); font-size: .9rem; font-weight: 400; color: var(--ink); } .matrix small { display: block; color: var(--soft); }
.matrix tbody + tbody tr:first-child > * { border-top: 2px solid var(--soft); } .matrix td a { display: inline-block; min-height: 1.5rem; white-space: normal; } .matrix .wrong { color: var(--fail); font-weight: 600; } .matrix .right { color: var(--pass); } .matrix .open { color: var(--soft); } .matrix a:is(.right, .open) { text-decoration: none; }
[data-search-off] { display: none; } .search input { display: block; width: 100%; max-width: 24rem; font: inherit; padding: .3rem .5rem; color: var(--ink); background: var(--sheet); border: 1px solid var(--soft); border-radius: 3px; } .search { display: block; margin-top: 1rem; font-size: .9rem; color: var(--soft); } button.copy { font: inherit; font-size: .85rem; min-height: 1.5rem; margin-top: .3rem; padding: .1rem .7rem; color: var(--link); background: var(--sheet); border: 1px solid var(--link); border-radius: 3px; }
.filters { display: flex; flex-wrap: wrap; gap: .2rem .9rem; margin-top: 1.2rem; } .filters a { display: inline-block; min-height: 1.5rem; } .filters [aria-current] { font-weight: 700; color: var(--ink); text-decoration: none; }
.day-strip { display: block; width: 10.5rem; max-width: 100%; height: auto; } .day-strip text { font: 9px system-ui, 'DejaVu Sans', sans-serif; fill: var(--soft); } .day-strip .passed { fill: var(--pass); } .day-strip :is(.failed, .known) { fill: var(--fail); } .day-strip :is(.inconclusive, .surprised) { fill: var(--warn); } .day-strip .none { stroke: var(--soft); stroke-dasharray: 2 2; }
.cells { display: flex; flex-wrap: wrap; gap: .15rem; list-style: none; margin: .7rem 0 0; padding: 0; }
.cells li { display: flex; } .break { border-left: 2px solid var(--calm); padding-left: .15rem; }
.cell { display: inline-grid; place-items: center; width: 1.5rem; height: 1.5rem; border-radius: 3px; font-size: 1.05rem; color: inherit; }
.cell:hover { background: var(--wash); }
.legend { margin-top: 1.2rem; font-size: .9rem; color: var(--soft); }
.age { color: var(--soft); } .newer { margin-top: 1rem; }
.side { position: relative; overflow-x: auto; margin-top: .8rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.side.newest { direction: rtl; } .side.newest > * { direction: ltr; }
.grid-table { table-layout: auto; width: auto; margin: 0 auto 0 0; font-size: .92rem; border-collapse: separate; border-spacing: 0; }
.grid-table th, .grid-table td { padding: .1rem 0; } .grid-table tbody th { position: sticky; left: 0; z-index: 1; padding: .2rem .6rem; width: clamp(15rem, 28vw, 22rem); min-width: clamp(15rem, 28vw, 22rem); background: var(--sheet); font-size: .88rem; font-weight: 400; color: var(--ink); }
.grid-table td { text-align: center; vertical-align: middle; } .grid-table thead th { vertical-align: bottom; text-align: center; border-top: 0; } .grid-table thead td { position: sticky; left: 0; z-index: 1; border-top: 0; background: var(--sheet); } .grid-table thead .mark { display: block; margin: .1rem auto 0; }
.grid-table .date { display: inline-block; min-width: 1.5rem; padding: .2rem 0; writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; font-weight: 400; font-size: .78rem; line-height: 1.5rem; } .grid-table .broken-off { border-left: 2px solid var(--calm); }
.months th:first-child { width: 8rem; } .months .cells { margin: 0; }
.lists { columns: 22rem; column-gap: 2rem; padding-left: 1.1rem; } .lists li { break-inside: avoid; } .lists a, .change-list > li > code a { display: inline-block; min-height: 1.5rem; }
.change-list { margin-top: .5rem; padding-left: 1.1rem; } .change-list li { margin-top: .25rem; }
#difference > section { margin-top: 2rem; } .counts { margin-top: 1rem; }
.raw { margin: .4rem 0 0; font-size: .95rem; } .finding:has(:target) { outline: 3px solid var(--link); outline-offset: 2px; }
.exchange-head { table-layout: auto; } .exchange-head th { width: 14rem; } .exchange-head td, .exchange-head th { padding: .2rem .9rem; } .exchange-head tbody th { font-family: var(--mono); font-weight: 400; color: var(--ink); }
.picker { display: flex; flex-wrap: wrap; gap: .8rem 1.4rem; align-items: end; margin-top: 1rem; } .picker label { flex: 0 1 24rem; min-width: 0; max-width: 100%; font-size: .9rem; color: var(--soft); } .picker select { display: block; width: 100%; font: inherit; padding: .3rem .5rem; color: var(--ink); background: var(--sheet); border: 1px solid var(--soft); border-radius: 3px; }
.picker button { font: inherit; padding: .35rem .9rem; color: var(--sheet); background: var(--link); border: 1px solid var(--link); border-radius: 3px; }
.fault-grid { display: block; } .fault-grid text { font: 9px system-ui, 'DejaVu Sans', sans-serif; fill: var(--ink); } .fault-grid .lines { stroke: var(--line); stroke-width: .5; } .fault-grid .dot { fill: none; stroke: var(--fail); stroke-width: 1.4; } .fault-grid .must { fill: var(--fail); } .fault-grid .half { fill: var(--fail); stroke: none; } .fault-grid .none { fill: var(--warn-wash); }
.badges img { display: block; max-width: 100%; margin: .5rem 0; }
@media (max-width: 34rem) {
  .matrix thead { position: static; clip-path: none; } .matrix tr { display: table-row; } .matrix th, .matrix td { border-top: 1px solid var(--line); padding: .4rem .5rem; } .matrix :is(thead td, tbody th) { width: 8.5rem; max-width: 8.5rem; }
  .lists { columns: auto; } .months thead { max-width: 100%; overflow: hidden; } .exchange-head tr { padding: .3rem 0; } .exchange-head th, .exchange-head td { border: 0; padding: 0; } .exchange-head tbody th { flex-basis: 100%; }
  .grid-table thead { position: static; clip-path: none; } .grid-table tr { display: table-row; padding: 0; border: 0; } .grid-table th, .grid-table td { border-top: 1px solid var(--line); }
  .grid-table tbody th { width: 8.5rem; min-width: 8.5rem; }
}
@media print {
  body > nav.trail, footer, .picker, .filters, .search, button.copy, .newer, .badges { display: none; } .side { overflow: visible; border: 0; } .side.newest { direction: ltr; } .matrix :is(thead td, tbody th) { position: static; min-width: 0; } .matrix th, .matrix td { min-width: 0; padding: .2rem .4rem; } .day-strip { width: 8rem; }
  .grid-table tbody th, .grid-table thead td { position: static; } .grid-table tbody th { width: 11rem; min-width: 11rem; padding: .1rem .3rem .1rem 0; font-size: .75rem; } .grid-table .cell { width: 1.1rem; height: 1.1rem; font-size: .8rem; } .grid-table .date { min-width: 1.1rem; line-height: 1.1rem; font-size: .65rem; }
  .fault-grid { width: 100%; height: auto; }
}
`;
