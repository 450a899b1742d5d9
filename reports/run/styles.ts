import { markStyles } from './marks.ts';
import { tokens } from './tokens.ts';

/** Folding chapters and their tables; on a narrow screen each row becomes a stack. */
const chapterStyles = `
.batch { content-visibility: auto; contain-intrinsic-size: auto 400rem; }
.chapter { margin-top: var(--s2); border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.chapter > summary { display: flex; align-items: center; gap: var(--s1) var(--s4); padding: var(--s2) var(--s4); list-style: none; }
.chapter > summary::-webkit-details-marker { display: none; }
.chapter > summary::before { content: ''; flex: none; width: .45rem; height: .45rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); }
.chapter[open] > summary::before { transform: rotate(45deg); }
.strip { flex: 1; display: flex; flex-wrap: wrap; gap: var(--s1); font-size: var(--xs); } .score { white-space: nowrap; font-size: var(--sm); }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: var(--sm); }
th, td { text-align: left; vertical-align: top; padding: var(--s2) var(--s4); border-top: 1px solid var(--line); }
th { font-size: var(--xs); color: var(--soft); } .number { text-align: right; }
th.outcome { width: 9.5rem; } th.number, th.level { width: 5.5rem; } td.level { font-size: var(--sm); font-weight: 600; color: var(--soft); }
.id { display: block; color: var(--soft); } .id a { margin-left: .6em; font-family: var(--sans); }
td a { white-space: nowrap; } .reason { font-size: var(--sm); } .got { display: block; font-weight: 400; color: var(--fail); } .got::before { content: 'actual '; color: var(--soft); }

.kills th { width: 38%; } .kills th:last-child { width: 24%; } .kills .witness { display: grid; grid-template-columns: 4.2rem 1fr; } .witness span { font-size: var(--sm); font-weight: 600; color: var(--soft); } .kills summary { font-size: var(--sm); color: var(--soft); }
.lead + table { margin-top: var(--s3); }
.unfound { font-weight: 600; } tr:target { background: var(--warn-wash); } .candle:target .wick, .candle:target .body, .lost:target { stroke: var(--link); stroke-width: 2; }

@media (max-width: 34rem) {
  .chapter > summary { flex-wrap: wrap; } .chapter h3 { flex: 1 0 calc(100% - 1.6rem); } .strip { padding-left: var(--s5); }
  thead { position: absolute; clip-path: inset(50%); } tr { display: flex; flex-wrap: wrap; gap: 0 var(--s4); border-top: 1px solid var(--line); padding: var(--s2) var(--s4); }
  td { border: 0; padding: 0; } td.number { margin-left: auto; } td.number::before { content: 'judged '; color: var(--soft); }
  td.wide { flex-basis: 100%; order: 1; } td.wide + td.wide { margin-top: var(--s1); }
}
`;

/** The causes under the verdict, and the request and response of a finding. */
const firstScreenStyles = `
.next { margin-top: var(--s2); padding: var(--s2) var(--s3); background: var(--sheet); border-left: 3px solid var(--warn); font-size: var(--md); }
.causes { margin-top: var(--s3); border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); overflow: hidden; }
.causes table { font-size: var(--sm); } .causes th, .causes td { padding: 0 var(--s3); border: 0; line-height: 1.5rem; } .causes tbody { border-top: 1px solid var(--line); } .causes tbody:first-of-type { border: 0; }
.causes .cost { width: 20rem; } .causes col.extent { width: 18rem; } .causes td a { white-space: normal; }
.causes th[scope=rowgroup] { font-size: var(--sm); color: var(--ink); background: var(--wash); } td.extent { color: var(--soft); }
.causes b { color: var(--warn); } .causes .level { font-size: var(--xs); font-weight: 600; color: var(--soft); } .causes .with { color: var(--soft); } .causes .remark { padding: var(--s1) var(--s3) var(--s2); font-size: var(--sm); border-top: 1px solid var(--line); color: var(--soft); }

.request { margin-top: var(--s3); font-size: var(--sm); } .request > div { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: var(--s1) var(--s4); padding: var(--s1) 0; border-top: 1px solid var(--line); }
.request dt { font-weight: 600; color: var(--soft); font-size: var(--sm); } .request b { font-weight: 600; } .request .command { user-select: all; }
.head-line { display: block; color: var(--soft); } .proof { margin-top: var(--s2); font-size: var(--sm); color: var(--soft); } .proof b { color: var(--ink); }
.exchange { margin-top: var(--s2); } .exchange h3 { margin-top: var(--s2); font-size: var(--sm); color: var(--soft); } .exchange > div:target { outline: 2px solid var(--link); outline-offset: .4rem; }

.sheet { margin-top: var(--s4); padding: var(--s3) var(--s4); border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); } .sheet h2 { margin: 0; font-size: var(--lg); } .scroll { overflow-x: auto; }
.agreement { display: block; margin-top: var(--s2); } .agreement text { font: 12px var(--sans); fill: var(--soft); text-anchor: middle; paint-order: stroke; stroke: var(--sheet); stroke-width: 3px; } .agreement .name.wrong { stroke: none; } .agreement .name { font-weight: 600; fill: var(--ink); }
.agreement .part { fill: var(--sheet); stroke: var(--line); } .agreement .part.wrong { fill: var(--fail-wash); stroke: var(--fail); stroke-width: 2; } .agreement text.wrong { fill: var(--fail); font-weight: 600; } .agreement text.agree { fill: var(--pass); }
.agreement path.agree { fill: none; stroke: var(--pass); stroke-width: 2; } .agreement path.wrong { fill: none; stroke: var(--fail); stroke-width: 2; stroke-dasharray: 4 3; } .agreement .served { fill: var(--bad); } .agreement .shown { fill: var(--ok); }
.reading { display: flex; flex-wrap: wrap; gap: var(--s3) var(--s6); align-items: start; } .reading figure { flex: 3 1 22rem; margin: var(--s2) 0 0; display: block; } .reading figure svg { display: block; width: 100%; } .ground { flex: 2 1 17rem; width: auto; table-layout: auto; margin-top: var(--s2); } .ground caption { text-align: left; font-weight: 600; } .ground :is(th, td) { padding: var(--s1) var(--s2); } .ground td { text-align: center; }
i.served, i.shown { display: inline-block; width: .7em; height: .7em; background: var(--bad); } i.shown { background: var(--ok); margin-left: var(--s2); } .wrong-rows { table-layout: auto; margin-top: var(--s2); } .wrong-rows .number { white-space: nowrap; } .wrong-rows .fail { color: var(--fail); } .wrong-rows th.number { width: auto; } .gaps td:first-child { white-space: nowrap; } .all-gaps { display: flex; flex-wrap: wrap; gap: 0 var(--s6); align-items: start; } .all-gaps > div { flex: 0 1 30rem; min-width: 0; } .all-gaps > details { flex: 1 1 17rem; }

@media (max-width: 52rem) { .causes .cost { width: 8.5rem; } .causes col.extent { width: 11rem; } }
@media (max-width: 34rem) {
  .causes table, .causes tbody { display: block; } .causes tr { padding: var(--s1) var(--s3); } .causes :is(th[scope=rowgroup], td) { flex-basis: 100%; padding: 0; } .causes th[scope=rowgroup] { background: none; }
  .ground thead { position: static; clip-path: none; } .ground tr { display: table-row; } .ground :is(th, td) { display: table-cell; padding: var(--s1); border-top: 1px solid var(--line); }
  .wrong-rows:not(.gaps) { min-width: 36rem; } .wrong-rows thead { position: static; clip-path: none; } .wrong-rows tr { display: table-row; } .wrong-rows td { display: table-cell; border-top: 1px solid var(--line); padding: var(--s1) var(--s2); } .wrong-rows td.number::before { content: none; }
  .request > div { grid-template-columns: 1fr; } .places tr { padding: var(--s1) 0; } .places :is(th, td) { padding: 0; }
}
`;

/** Under forced colors, drawings use the reader's colors explicitly, since fills and strokes are not forced. */
const forcedStyles = `
@media (forced-colors: active) {
  .candles :is(text, .avg, .dot), .bar .passed { fill: CanvasText; } .candles :is(.wick, .body, .base, .end, .actual-line, .expected) { stroke: CanvasText; } .candles .body, .candles .band { fill: Canvas; } .candles .down .body { fill: CanvasText; }
  .candles :is(.off, .pointer, .beyond, .dot.wrong), .bar :is(.failed, .known) { fill: Highlight; } .candles .lost { fill: none; stroke: Highlight; stroke-width: 2; } .candles .offending :is(.wick, .body) { stroke: Highlight; } .candles .band { stroke: Highlight; } mark { outline-color: Highlight; }
}
`;

/**
 * On paper: light colors, findings unfolded, and headings that stay with their text. What passed is a line for each
 * section, so that a run with one cause takes two pages.
 */
const printStyles = `
@media print {
  @page { size: A4; margin: 14mm 14mm 16mm; @bottom-right { content: counter(page) ' / ' counter(pages); font: 8pt system-ui, sans-serif; color: #56606a; } }
  :root { font-size: 10pt; } body { max-width: none; padding: 0; background: #fff; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  nav, button, .causes .remark, .open-reasons, .bug-report, #exchanges, .chapter > summary::before, .finding > details > summary::after { display: none; } summary { list-style: none; } summary::marker { content: ''; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; } details:not([open]) > :not(summary) { display: block; } details:not([open]) > table { display: table; }
  .many > .finding, .batch { content-visibility: visible; }
  #matrix :is(tbody tr, .chapter):not(:has(.failed, .surprised, .known)) > :not(summary), details:not([open]) > #observations, #method > :not(.facts) { display: none; }
  #matrix .chapter { margin: 0; border-width: 0 0 1px; } #matrix .chapter > summary { padding: 1px 0; } #matrix td, #matrix th { padding: 2px var(--s4); }
  h2, h3, summary, thead, .tags, .lead, .cost, .finding .why, .versus, .example > .where { break-after: avoid; } .replay, tbody > tr:first-child, .observation:first-child { break-before: avoid; }
  nav.top { position: static; padding: 0; background: none; } nav.top a:not(.home), .acts a { display: none; } .hero { grid-template-columns: minmax(0, 1fr) 15rem; } .tiles { gap: var(--s2); grid-template-columns: repeat(3, 1fr); } .tile { padding: var(--s2) var(--s2); } .large { font-size: var(--lg); } .causes table, .causes th[scope=rowgroup] { font-size: var(--sm); } .causes th, .causes td { padding: var(--s1) var(--s2); } .causes .cost { width: 9rem; } .causes col.extent { width: 12rem; }
  h2, h3, figure, .versus, tr, .tile, .banner, .observation, .lead, .facts, .meanings, .replay { break-inside: avoid; } p { orphans: 3; widows: 3; }
  main > section { margin-top: var(--s5); } figure svg { flex-basis: 50%; } .scroll { overflow: visible; }
}
`;

/** Styles of a report. Light is the base that only the dark scheme overrides: paper is always light. */
export const styles = `
${tokens}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 0 var(--s4) var(--s4); max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif;
  font-variant-numeric: tabular-nums lining-nums; overflow-wrap: anywhere; -webkit-text-size-adjust: 100%;
}
h1, h2, h3, p, dl, dd, figure, ul { margin: 0; }
h2 { font-size: var(--lg); line-height: 1.25; text-wrap: balance; }
h3 { font-size: var(--md); line-height: 1.35; }
code, .url, .numbers dd, .versus dd { font-family: var(--mono); font-size: inherit; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 2px; }
summary { cursor: pointer; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

${markStyles}
nav.top { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s4); margin: 0; padding: var(--s2) 0; font-size: var(--sm); background: var(--paper); border-bottom: 1px solid var(--line); } nav.top a { color: var(--soft); text-decoration: none; min-height: 1.5rem; } nav.top a:hover { text-decoration: underline; } nav.top b { color: var(--ink); } nav.top .kind { margin-right: auto; color: var(--soft); }
.logo { width: 1.5rem; height: 1.5rem; flex: none; fill: currentColor; } .logo .flame { fill: var(--flame); } .logo .stem { stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; } .logo .tick { fill: none; stroke: var(--paper); stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; } a.home { display: inline-flex; align-items: center; gap: var(--s2); font-size: var(--md); font-weight: 650; } nav a.home { color: var(--ink); text-decoration: none; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; } :target { scroll-margin-top: var(--s7); }
.page-head { margin-top: var(--s3); } .hero { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: var(--s4) var(--s6); align-items: start; } .banner { min-width: 0; }
.pill { display: inline-flex; align-items: center; gap: var(--s2); max-width: 100%; padding: 0 var(--s3); border: 1px solid currentColor; border-radius: 1rem; font-size: var(--sm); line-height: 1.7; font-weight: 600; color: var(--warn); background: var(--warn-wash); }
.conformant .pill { color: var(--pass); background: var(--pass-wash); } .nonconformant .pill { color: var(--fail); background: var(--fail-wash); }
h1 { margin-top: var(--s2); font-size: var(--xl); line-height: 1.12; letter-spacing: -.025em; text-wrap: balance; }
.scores { display: grid; gap: var(--s1); line-height: 1.35; padding-left: var(--s5); border-left: 1px solid var(--line); font-size: var(--sm); } .scores > div { display: grid; grid-template-columns: 5rem 1fr; } .scores dt { font-weight: 400; color: var(--soft); } .scores b.failing { color: var(--fail); } .scores small { display: block; font-size: var(--xs); color: var(--soft); }
.acts { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2); margin-top: var(--s2); font-size: var(--sm); } .acts a { padding: var(--s1) var(--s3); border: 1px solid var(--soft); border-radius: 7px; color: var(--ink); background: var(--sheet); font-weight: 600; text-decoration: none; } .acts a:hover { text-decoration: underline; } button { font: 600 var(--sm)/1.5 var(--sans); min-height: 1.5rem; padding: var(--s1) var(--s3); border: 1px solid var(--soft); border-radius: 7px; color: var(--ink); background: var(--sheet); cursor: pointer; } button:hover { background: var(--wash); } p.first > :is(button, a):first-child { color: var(--paper); background: var(--ink); border-color: var(--ink); } button[hidden] { display: none; } .repeat { margin-top: var(--s2); font-size: var(--sm); color: var(--soft); } .acts code { padding: var(--s1) var(--s2); border-radius: 6px; background: var(--wash); user-select: all; }
@media screen and (max-width: 52rem) { .hero { grid-template-columns: 1fr; } .scores { padding-left: 0; border: 0; } nav.top .kind { margin-right: 0; } }
.sentence { font-size: var(--md); margin-top: var(--s1); } .facts-line, .remark { margin-top: var(--s1); font-size: var(--sm); } .remark { color: var(--soft); }
.target { color: var(--soft); margin-top: var(--s1); font-size: var(--sm); }
.target b { color: var(--ink); } .target > * { margin-right: .8em; } time { white-space: nowrap; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: var(--s4); margin-top: var(--s4); }
.tile { padding: var(--s4) var(--s4); border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.tile :is(h2, h3) { font-size: var(--sm); font-weight: 600; color: var(--soft); }
.tile ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0 var(--s4); }
.tile ul, .tile p:not(.large) { font-size: var(--sm); }
.large { font-size: var(--xl); line-height: 1.25; font-weight: 600; } .large small { font-size: var(--sm); font-weight: 400; color: var(--soft); }
.bar { display: block; width: 100%; height: .5rem; margin: var(--s2) 0 var(--s2); background: var(--wash); border-radius: 2px; }
.bar .passed { fill: var(--ok); } .bar .failed, .bar .known { fill: var(--bad); } .bar .known { opacity: .5; }
.bar .surprised, .bar .inconclusive { fill: url(#stripes); } .bar .unexercised { fill: var(--line); } .bar .spent { fill: var(--link); }
.open-reasons { margin-top: var(--s4); font-size: var(--sm); } .open-reasons ul { padding-left: var(--s4); }
nav { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s5); margin-top: var(--s4); }

main > section { margin-top: var(--s7); }
.lead, .why, .where, .reason, .score, .key, .unanswered { color: var(--soft); }
.lead { margin-top: var(--s1); max-width: 46rem; }
.finding .level { display: inline-block; padding: 0 .45em; border: 1px solid currentColor; border-radius: 3px; font-size: var(--xs); line-height: 1.4; font-weight: 600; color: var(--soft); }
.finding .level.must { background: var(--fail); border-color: var(--fail); color: var(--sheet); }
.tag { display: inline-block; padding: 0 .5em; border-radius: 3px; background: var(--warn-wash); color: var(--warn); border: 1px solid; font-size: var(--xs); line-height: 1.4; font-weight: 600; }

.many > .finding { content-visibility: auto; contain-intrinsic-size: auto 44rem; }
.cost { margin-top: var(--s5); }
.finding { margin-top: var(--s2); padding: var(--s3) var(--s4); border: 1px solid var(--line); border-top: 3px solid var(--warn); border-radius: 4px; background: var(--sheet); }
.finding.must { border-top-color: var(--fail); } .finding.known { border-top-style: dashed; }
.tags { margin-top: var(--s1); display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s3); font-size: var(--sm); color: var(--soft); }
.finding h4 { margin: 0; font-size: var(--md); line-height: 1.35; } .finding > details > summary { position: relative; padding-right: var(--s7); list-style: none; } .finding > details > summary::-webkit-details-marker { display: none; }
.finding .why { margin-top: var(--s2); max-width: 46rem; } .finding .why b { color: var(--ink); font-weight: 600; }
.finding > details > summary::after, .folded > summary::before { content: '▸ '; color: var(--soft); } .finding > details > summary::after { content: '▸ show'; position: absolute; top: .2rem; right: 0; font-size: var(--sm); } .finding > details[open] > summary::after { content: '▾ fold'; } .folded[open] > summary::before { content: '▾ '; }
.folded > summary { color: var(--soft); list-style: none; } .folded > summary::-webkit-details-marker { display: none; } .folded h2 { display: inline; color: var(--ink); }
.places { margin-top: var(--s3); font-size: var(--sm); } .places caption { text-align: left; font-weight: 600; } .places th.outcome { width: 5rem; } .places th, .places td { padding: var(--s1) var(--s2); }
.versus { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: var(--s2); margin: var(--s4) 0 var(--s2); }
.versus > div { padding: var(--s2) var(--s3); background: var(--wash); border-left: 3px solid var(--pass); border-radius: 2px; }
.versus > .actual { border-left-color: var(--fail); }
dt { font-weight: 600; } .versus dt, .numbers dt { font-size: var(--xs); color: var(--soft); }
.versus dd { font-size: var(--sm); }
.where { font-size: var(--sm); } .where code { color: var(--ink); }
figure { margin: var(--s4) 0; display: flex; flex-wrap: wrap; gap: var(--s2) var(--s5); align-items: center; }
figure svg { flex: 1 1 20rem; height: auto; }
figcaption { flex: 1 1 12rem; font-size: var(--sm); }
.numbers { max-width: 15rem; margin: var(--s1) 0 var(--s2); } .numbers > div { display: flex; justify-content: space-between; border-top: 1px solid var(--line); padding: var(--s1) var(--s1); }
.numbers > .named { background: var(--fail-wash); } .named dt, .named dd { color: var(--fail); font-weight: 700; }
.key { font-size: var(--xs); } .evidence { display: block; } .evidence svg { display: block; width: 100%; margin-top: var(--s2); }
.leading { margin-top: var(--s2); padding: var(--s1) var(--s4) var(--s2); border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); } .leading figure { margin: 0; } .leading .numbers { margin: var(--s1) 0; } .leading .numbers > div { padding: 0 var(--s1); } .leading figcaption { line-height: 1.35; }
mark { background: var(--fail-wash); color: inherit; outline: 2px solid var(--fail); outline-offset: 1px; } mark:target { outline-width: 3px; } .hole { outline-style: dashed; font-style: italic; color: var(--fail); }
.finding details details { margin-top: var(--s2); } .example { margin: var(--s3) 0 0 var(--s1); padding-left: var(--s4); border-left: 2px solid var(--line); }
.replay { margin-top: var(--s3); padding-top: var(--s3); border-top: 1px solid var(--line); font-size: var(--sm); }
.replay span { font-weight: 600; margin-right: .5em; } .replay code { user-select: all; background: var(--wash); padding: var(--s1) var(--s2); border-radius: 3px; box-decoration-break: clone; } .replay i { display: inline-block; font-style: normal; }
pre { margin: var(--s2) 0 0; padding: var(--s3) var(--s4); background: var(--wash); border: 1px solid var(--line); border-radius: 3px; font: var(--sm)/1.5 var(--mono); white-space: pre-wrap; user-select: all; }
.note { margin-top: var(--s4); padding: var(--s3) var(--s4); background: var(--warn-wash); border-left: 3px solid var(--warn); }

.candles text { font: 12px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; fill: var(--soft); font-variant-numeric: tabular-nums; }
.candles .time, .candles .gap-name, .candles .panel-name { text-anchor: middle; } .candles .panel-name { font-style: italic; }
.candles .off { fill: var(--fail); font-weight: 600; } .candles .before { text-anchor: end; } .candles .end-name { fill: var(--fail); paint-order: stroke; stroke: var(--sheet); stroke-width: 2.5px; }
.grid { stroke: var(--line); stroke-width: .6; } .base { stroke: var(--soft); stroke-width: .8; }
.gap { stroke: var(--soft); stroke-dasharray: 2 3; } .band { fill: var(--fail-wash); }
.wick { stroke: var(--ink); stroke-width: 1.1; fill: none; } .body { stroke: var(--ink); stroke-width: 1.1; fill: var(--ink); }
.up .body { fill: var(--sheet); }
.offending .wick, .offending .body { stroke: var(--fail); } .offending .body { fill: var(--fail); } .offending.up .body { fill: var(--sheet); }
.strip .whole { fill: var(--ok); } .strip .lost { fill: var(--bad); stroke: none; } .strip .before { text-anchor: end; }
.lost { fill: var(--fail-wash); stroke: var(--fail); stroke-dasharray: 4 3; } .candles .lane-name { fill: var(--ink); font-weight: 600; } .readings .after { text-anchor: start; } .expected { fill: none; stroke: var(--soft); stroke-dasharray: 4 3; } .actual-line { fill: none; stroke: var(--ink); stroke-width: 1.3; } .dot { fill: var(--ink); } .dot.wrong { fill: var(--fail); }
.avg { fill: var(--link); stroke: var(--sheet); stroke-width: .9; } .end { stroke: var(--fail); stroke-width: 1.4; stroke-dasharray: 3 1.5; }
.pointer, .offending .beyond { fill: var(--fail); } .beyond { fill: var(--soft); }

.observations > div, .meanings > div, .facts > div { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.6fr); gap: var(--s1) var(--s4); padding: var(--s2) 0; border-top: 1px solid var(--line); }
.observations, .facts { margin-top: var(--s3); } .observations dt, .meanings dt, .facts dt { font-weight: 400; } .observation .section { color: var(--soft); font-size: var(--sm); display: block; }
.observation .why { font-size: var(--sm); } .observation b { font-weight: 600; } .unanswered { margin-top: var(--s1); padding-left: var(--s4); font-size: var(--sm); } .rest { margin-top: var(--s5); }
.meanings > div, .facts > div { grid-template-columns: 9rem minmax(0, 1fr); padding: var(--s1) 0; } #method h3 { margin: var(--s5) 0 var(--s1); } #method > p { margin-top: var(--s5); max-width: 46rem; color: var(--soft); }

/* No letter of a drawing is smaller than 11 pixels: 300 units are at least 276 pixels wide here, and 448 on a wider screen. */
svg.candles { min-width: 17.25rem; max-width: 24rem; } figure:has(> .candles) { overflow-x: auto; }
@media (min-width: 34.01rem) { svg.candles { min-width: 28rem; max-width: 30rem; } .candles text { font-size: 7.5px; } .wick, .body, .candles :is(.base, .end) { stroke-width: .9; }
  .leading figure:not(.evidence) svg.candles { min-width: 20rem; max-width: 20rem; } .leading figure:not(.evidence) .candles text { font-size: 10.5px; } }
@media (max-width: 34rem) {
  body { padding: var(--s2); } .banner { flex-direction: column; }
  .observations > div, .meanings > div, .facts > div { grid-template-columns: 1fr; }
}
${chapterStyles}${firstScreenStyles}${forcedStyles}${printStyles}`;
