import { markStyles } from './marks.ts';

/** Folding chapters and their tables; on a narrow screen each row becomes a stack. */
const chapterStyles = `
.batch { content-visibility: auto; contain-intrinsic-size: auto 400rem; }
.chapter { margin-top: .6rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.chapter > summary { display: flex; align-items: center; gap: .2rem .9rem; padding: .6rem .9rem; list-style: none; }
.chapter > summary::-webkit-details-marker { display: none; }
.chapter > summary::before { content: ''; flex: none; width: .45rem; height: .45rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); }
.chapter[open] > summary::before { transform: rotate(45deg); }
.strip { flex: 1; display: flex; flex-wrap: wrap; gap: .15rem; font-size: .8rem; } .score { white-space: nowrap; font-size: .9rem; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem; border-top: 1px solid var(--line); }
th { font-size: .8rem; color: var(--soft); } .number { text-align: right; }
th.outcome { width: 9.5rem; } th.number, th.level { width: 5.5rem; } td.level { font-size: .9rem; font-weight: 600; color: var(--soft); }
.id { display: block; color: var(--soft); } .id a { margin-left: .6em; font: 1.05em system-ui, 'DejaVu Sans', sans-serif; }
td a { white-space: nowrap; } .reason { font-size: .9rem; } .got { display: block; font-weight: 400; color: var(--fail); } .got::before { content: 'actual '; color: var(--soft); }

.kills th { width: 38%; } .kills th:last-child { width: 24%; } .kills .witness { display: grid; grid-template-columns: 4.2rem 1fr; } .witness span { font-size: .85rem; font-weight: 600; color: var(--soft); } .kills summary { font-size: .9rem; color: var(--soft); }
.lead + table { margin-top: .8rem; }
.unfound { font-weight: 600; } tr:target { background: var(--warn-wash); }

@media (max-width: 34rem) {
  .chapter > summary { flex-wrap: wrap; } .chapter h3 { flex: 1 0 calc(100% - 1.6rem); } .strip { padding-left: 1.35rem; }
  thead { position: absolute; clip-path: inset(50%); } tr { display: flex; flex-wrap: wrap; gap: 0 .9rem; border-top: 1px solid var(--line); padding: .45rem .9rem; }
  td { border: 0; padding: 0; } td.number { margin-left: auto; } td.number::before { content: 'judged '; color: var(--soft); }
  td.wide { flex-basis: 100%; order: 1; } td.wide + td.wide { margin-top: .2rem; }
}
`;

/** The causes under the verdict, and the request and response of a finding. */
const firstScreenStyles = `
.next { margin-top: .5rem; padding: .5rem .75rem; background: var(--sheet); border-left: 3px solid var(--warn); font-size: 1.05rem; }
.causes { margin-top: .9rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); overflow: hidden; }
.causes table { font-size: .92rem; } .causes th, .causes td { padding: .14rem .7rem; border: 0; } .causes tbody { border-top: 1px solid var(--line); } .causes tbody:first-of-type { border: 0; }
.causes .cost { width: 11.5rem; } .causes col.extent { width: 20rem; } .causes td a { white-space: normal; }
.causes th[scope=rowgroup] { font-size: .88rem; color: var(--ink); background: var(--wash); } td.extent { color: var(--soft); }
.causes b { color: var(--warn); } .causes .level { font-size: .8rem; font-weight: 600; color: var(--soft); } .causes .with { color: var(--soft); } .causes .remark { padding: .3rem .7rem .45rem; font-size: .85rem; border-top: 1px solid var(--line); color: var(--soft); }

.request { margin-top: .7rem; font-size: .92rem; } .request > div { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: .1rem .9rem; padding: .18rem 0; border-top: 1px solid var(--line); }
.request dt { font-weight: 600; color: var(--soft); font-size: .88rem; } .request b { font-weight: 600; } .request .command { user-select: all; }
.head-line { display: block; color: var(--soft); } .proof { margin-top: .5rem; font-size: .92rem; color: var(--soft); } .proof b { color: var(--ink); }
.exchange { margin-top: .4rem; } .exchange h3 { margin-top: .6rem; font-size: .9rem; color: var(--soft); } .exchange > div:target { outline: 2px solid var(--link); outline-offset: .4rem; }

@media (max-width: 52rem) { .causes .cost { width: 8.5rem; } .causes col.extent { width: 11rem; } }
@media (max-width: 34rem) {
  .causes table, .causes tbody { display: block; } .causes tr { padding: .3rem .7rem; } .causes :is(th[scope=rowgroup], td) { flex-basis: 100%; padding: 0; } .causes th[scope=rowgroup] { background: none; }
  .request > div { grid-template-columns: 1fr; } .places tr { padding: .25rem 0; } .places :is(th, td) { padding: 0; }
}
`;

/** Under forced colors, drawings use the reader's colors explicitly, since fills and strokes are not forced. */
const forcedStyles = `
@media (forced-colors: active) {
  .candles :is(text, .avg, .dot), .bar .passed { fill: CanvasText; } .candles :is(.wick, .body, .base, .end, .actual-line, .expected) { stroke: CanvasText; } .candles .body, .candles .band { fill: Canvas; } .candles .down .body { fill: CanvasText; }
  .candles :is(.off, .pointer, .beyond, .dot.wrong), .bar :is(.failed, .known) { fill: Highlight; } .candles .lost { fill: none; stroke: Highlight; stroke-width: 2; } .candles .offending :is(.wick, .body) { stroke: Highlight; } .candles .band { stroke: Highlight; } mark { outline-color: Highlight; }
}
`;

/** On paper: light colors, everything unfolded, and headings that stay with their text. */
const printStyles = `
@media print {
  @page { size: A4; margin: 14mm 14mm 16mm; @bottom-right { content: counter(page) ' / ' counter(pages); font: 8pt system-ui, sans-serif; color: #56606a; } }
  :root { font-size: 10pt; } body { max-width: none; padding: 0; background: #fff; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  nav, .open-reasons, .bug-report, #exchanges, .chapter > summary::before, .finding > details > summary::after { display: none; } summary { list-style: none; } summary::marker { content: ''; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; } details:not([open]) > :not(summary) { display: block; } details:not([open]) > table { display: table; }
  .many > .finding, .batch { content-visibility: visible; }
  h2, h3, summary, thead, .tags, .lead, .cost, .finding .why, .versus, .example > .where { break-after: avoid; } .replay, tbody > tr:first-child, .observation:first-child { break-before: avoid; }
  .banner { padding: .5rem .8rem; } h1 { font-size: 1.7rem; } .tiles { gap: .5rem; grid-template-columns: repeat(3, 1fr); } .tile { padding: .4rem .6rem; } .large { font-size: 1.2rem; } .causes table, .causes th[scope=rowgroup] { font-size: .85rem; } .causes th, .causes td { padding: .1rem .5rem; } .causes .cost { width: 9rem; } .causes col.extent { width: 12rem; }
  h2, h3, figure, .versus, tr, .tile, .banner, .observation, .lead, .facts, .meanings, .replay { break-inside: avoid; } p { orphans: 3; widows: 3; }
  main > section { margin-top: 1.6rem; } figure svg { flex-basis: 50%; max-width: 110mm; }
}
`;

/** Styles of a report. Light is the base that only the dark scheme overrides: paper is always light. */
export const styles = `
:root {
  --paper: #fcfbf8; --sheet: #ffffff; --ink: #1b2126; --soft: #56606a; --line: #d9d6ce; --wash: #f3f1ea;
  --pass: #1c6b40; --fail: #b0261c; --warn: #875a00; --calm: #5b5f97; --link: #1d4f80;
  --fail-wash: #fbeceA; --pass-wash: #eaf4ee; --warn-wash: #fbf3e0;
  --mono: ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  color-scheme: light;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --sheet: #1b1f23; --ink: #e7e9eb; --soft: #a3acb4; --line: #353b41; --wash: #22272c;
    --pass: #6fcb96; --fail: #ff8e83; --warn: #efbf62; --calm: #aeb2ee; --link: #8fc0f2;
    --fail-wash: #3a211f; --pass-wash: #1c2f25; --warn-wash: #352b17;
    color-scheme: dark;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif;
  font-variant-numeric: tabular-nums lining-nums; overflow-wrap: anywhere; -webkit-text-size-adjust: 100%;
}
h1, h2, h3, p, dl, dd, figure, ul { margin: 0; }
h2 { font-size: 1.4rem; line-height: 1.25; text-wrap: balance; }
h3 { font-size: 1.05rem; line-height: 1.35; }
code, .url, .numbers dd, .versus dd { font-family: var(--mono); font-size: .875em; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 2px; }
summary { cursor: pointer; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

${markStyles}
.banner { display: flex; gap: clamp(.75rem, 3vw, 1.5rem); align-items: flex-start; padding: clamp(.8rem, 2vw, 1.1rem) clamp(.9rem, 3vw, 1.5rem);
  border: 1px solid var(--line); border-left: .6rem solid var(--warn); border-radius: 4px; background: var(--warn-wash); }
.banner > .mark { font-size: clamp(2.4rem, 8vw, 3.6rem); margin-top: .2rem; }
.banner > div { min-width: 0; }
.banner.conformant { border-left-color: var(--pass); background: var(--pass-wash); }
.banner.nonconformant { border-left-color: var(--fail); background: var(--fail-wash); }
.brand { color: var(--soft); font-size: .85rem; }
h1 { font-size: clamp(1.4rem, 5vw, 1.9rem); line-height: 1.15; letter-spacing: -.015em; text-wrap: balance; }
.conformant h1, .conformant .verdict { color: var(--pass); } .nonconformant h1, .nonconformant .verdict { color: var(--fail); } .inconclusive h1, .inconclusive .verdict { color: var(--warn); }
.sentence { font-size: 1.15rem; margin-top: .3rem; } .facts-line, .remark { margin-top: .3rem; font-size: .95rem; } .remark { color: var(--soft); }
.target { color: var(--soft); margin-top: .3rem; font-size: .95rem; }
.target b { color: var(--ink); } .target > * { margin-right: .8em; } time { white-space: nowrap; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; margin-top: 1rem; }
.tile { padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.tile :is(h2, h3) { font-size: .85rem; font-weight: 600; color: var(--soft); }
.tile ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1rem; }
.tile ul, .tile p:not(.large) { font-size: .9rem; }
.large { font-size: 1.9rem; line-height: 1.25; font-weight: 600; } .large small { font-size: .9rem; font-weight: 400; color: var(--soft); }
.bar { display: block; width: 100%; height: .5rem; margin: .35rem 0 .45rem; background: var(--wash); border-radius: 2px; }
.bar .passed { fill: var(--pass); } .bar .failed, .bar .known { fill: var(--fail); } .bar .known { opacity: .5; }
.bar .surprised, .bar .inconclusive { fill: var(--warn); } .bar .unexercised { fill: var(--line); } .bar .spent { fill: var(--link); }
.open-reasons { margin-top: 1rem; font-size: .95rem; } .open-reasons ul { padding-left: 1.2rem; }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin-top: 1.1rem; }

main > section { margin-top: 2.75rem; }
.lead, .why, .where, .reason, .score, .key, .unanswered { color: var(--soft); }
.lead { margin-top: .3rem; max-width: 46rem; }
.finding .level { display: inline-block; padding: 0 .45em; border: 1px solid currentColor; border-radius: 3px; font-size: .8rem; line-height: 1.4; font-weight: 600; color: var(--soft); }
.finding .level.must { background: var(--fail); border-color: var(--fail); color: var(--sheet); }
.tag { display: inline-block; padding: 0 .5em; border-radius: 3px; background: var(--warn-wash); color: var(--warn); border: 1px solid; font-size: .8rem; line-height: 1.4; font-weight: 600; }

.many > .finding { content-visibility: auto; contain-intrinsic-size: auto 44rem; }
.cost { margin-top: 1.3rem; }
.finding { margin-top: .6rem; padding: .7rem clamp(.8rem, 2.5vw, 1.2rem); border: 1px solid var(--line); border-top: 3px solid var(--warn); border-radius: 4px; background: var(--sheet); }
.finding.must { border-top-color: var(--fail); } .finding.known { border-top-style: dashed; }
.tags { margin-top: .2rem; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .7rem; font-size: .9rem; color: var(--soft); }
.finding h4 { margin: 0; font-size: 1.15rem; line-height: 1.35; } .finding > details > summary { position: relative; padding-right: 3.5rem; list-style: none; } .finding > details > summary::-webkit-details-marker { display: none; }
.finding .why { margin-top: .5rem; max-width: 46rem; } .finding .why b { color: var(--ink); font-weight: 600; }
.finding > details > summary::after, .folded > summary::before { content: '▸ '; color: var(--soft); } .finding > details > summary::after { content: '▸ show'; position: absolute; top: .2rem; right: 0; font-size: .85rem; } .finding > details[open] > summary::after { content: '▾ fold'; } .folded[open] > summary::before { content: '▾ '; }
.folded > summary { color: var(--soft); list-style: none; } .folded > summary::-webkit-details-marker { display: none; } .folded h2 { display: inline; color: var(--ink); }
.places { margin-top: .7rem; font-size: .9rem; } .places caption { text-align: left; font-weight: 600; } .places th.outcome { width: 5rem; } .places th, .places td { padding: .25rem .5rem; }
.versus { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: .6rem; margin: .9rem 0 .6rem; }
.versus > div { padding: .5rem .75rem; background: var(--wash); border-left: 3px solid var(--pass); border-radius: 2px; }
.versus > .actual { border-left-color: var(--fail); }
dt { font-weight: 600; } .versus dt, .numbers dt { font-size: .8rem; color: var(--soft); }
.versus dd { font-size: .95rem; }
.where { font-size: .92rem; } .where code { color: var(--ink); }
figure { margin: .9rem 0; display: flex; flex-wrap: wrap; gap: .6rem 1.5rem; align-items: center; }
figure svg { flex: 1 1 20rem; min-width: 0; max-width: 30rem; height: auto; }
figcaption { flex: 1 1 12rem; font-size: .9rem; }
.numbers { max-width: 15rem; margin: .3rem 0 .5rem; } .numbers > div { display: flex; justify-content: space-between; border-top: 1px solid var(--line); padding: .08rem .3rem; }
.numbers > .named { background: var(--fail-wash); } .named dt, .named dd { color: var(--fail); font-weight: 700; }
.key { font-size: .8rem; } .evidence { display: block; } .evidence svg { display: block; width: 100%; max-width: 38rem; margin-top: .5rem; }
.leading { margin-top: .8rem; padding: .6rem clamp(.8rem, 2.5vw, 1.2rem) .5rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); } .leading figure { margin: 0; } .leading figure:not(.evidence) svg { max-width: 20rem; } .leading .numbers { margin: .1rem 0; } .leading .numbers > div { padding: 0 .3rem; font-size: .9em; } .leading figcaption { line-height: 1.35; } .leading .evidence svg { max-width: 34rem; }
mark { background: var(--fail-wash); color: inherit; outline: 2px solid var(--fail); outline-offset: 1px; } mark:target { outline-width: 3px; } .hole { outline-style: dashed; font-style: italic; color: var(--fail); }
.finding details details { margin-top: .6rem; } .example { margin: .7rem 0 0 .2rem; padding-left: .9rem; border-left: 2px solid var(--line); }
.replay { margin-top: .8rem; padding-top: .7rem; border-top: 1px solid var(--line); font-size: .92rem; }
.replay span { font-weight: 600; margin-right: .5em; } .replay code { user-select: all; background: var(--wash); padding: .15rem .4rem; border-radius: 3px; box-decoration-break: clone; } .replay i { display: inline-block; font-style: normal; }
pre { margin: .5rem 0 0; padding: .7rem .9rem; background: var(--wash); border: 1px solid var(--line); border-radius: 3px; font: .84rem/1.5 var(--mono); white-space: pre-wrap; user-select: all; }
.note { margin-top: 1.1rem; padding: .8rem 1rem; background: var(--warn-wash); border-left: 3px solid var(--warn); }

.candles text { font: 9.5px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; fill: var(--soft); font-variant-numeric: tabular-nums; }
.candles .time, .candles .gap-name, .candles .panel-name { text-anchor: middle; } .candles .panel-name { font-style: italic; }
.candles .off { fill: var(--fail); font-weight: 600; } .candles .before { text-anchor: end; } .candles .end-name { fill: var(--fail); font-size: 8.5px; paint-order: stroke; stroke: var(--sheet); stroke-width: 2.5px; }
.grid { stroke: var(--line); stroke-width: .6; } .base { stroke: var(--soft); stroke-width: .8; }
.gap { stroke: var(--soft); stroke-dasharray: 2 3; } .band { fill: var(--fail-wash); }
.wick { stroke: var(--ink); stroke-width: 1.1; fill: none; } .body { stroke: var(--ink); stroke-width: 1.1; fill: var(--ink); }
.up .body { fill: var(--sheet); }
.offending .wick, .offending .body { stroke: var(--fail); } .offending .body { fill: var(--fail); } .offending.up .body { fill: var(--sheet); }
.lost { fill: var(--fail-wash); stroke: var(--fail); stroke-dasharray: 4 3; } .candles .lane-name { fill: var(--ink); font-weight: 600; } .readings .after { text-anchor: start; } .expected { fill: none; stroke: var(--soft); stroke-dasharray: 4 3; } .actual-line { fill: none; stroke: var(--ink); stroke-width: 1.3; } .dot { fill: var(--ink); } .dot.wrong { fill: var(--fail); }
.avg { fill: var(--link); stroke: var(--sheet); stroke-width: .9; } .end { stroke: var(--fail); stroke-width: 1.4; stroke-dasharray: 3 1.5; }
.pointer, .offending .beyond { fill: var(--fail); } .beyond { fill: var(--soft); }

.observations > div, .meanings > div, .facts > div { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.6fr); gap: .1rem 1.2rem; padding: .5rem 0; border-top: 1px solid var(--line); }
.observations, .facts { margin-top: .8rem; } .observations dt, .meanings dt, .facts dt { font-weight: 400; } .observation .section { color: var(--soft); font-size: .85rem; display: block; }
.observation .why { font-size: .9rem; } .observation b { font-weight: 600; } .unanswered { margin-top: .3rem; padding-left: 1.2rem; font-size: .95rem; } .rest { margin-top: 1.6rem; }
.meanings > div, .facts > div { grid-template-columns: 9rem minmax(0, 1fr); padding: .25rem 0; } #method h3 { margin: 1.3rem 0 .3rem; } #method > p { margin-top: 1.3rem; max-width: 46rem; color: var(--soft); }

@media (max-width: 34rem) {
  body { padding: .6rem; } .banner { flex-direction: column; } .candles text { font-size: 10.6px; }
  .observations > div, .meanings > div, .facts > div { grid-template-columns: 1fr; }
}
${chapterStyles}${firstScreenStyles}${forcedStyles}${printStyles}`;
