export const monitorStyles = `
:root { --held: #5b9a79; } @media screen and (prefers-color-scheme: dark) { :root { --held: #4a8265; } }
.keep a { display: inline-block; min-height: 1.5rem; } .troubles { margin: .5rem 0; padding-left: 1.1rem; } .below { color: var(--fail); font-weight: 600; }
.wide small.state { white-space: normal; font-weight: 600; } .state.good { color: var(--pass); } .state.bad { color: var(--fail); } .state:is(.unseen, .planned) { color: var(--warn); }
#proven + .fold { margin-top: .8rem; } .fold { border-top: 1px solid var(--line); padding: .5rem 0; } .fold > summary h2 { display: inline; font-size: 1.1rem; } .fold > summary span { color: var(--soft); }
.strip-of-days { display: block; width: 100%; min-width: 16.9rem; max-width: 25rem; } .strip-of-days .silent { stroke-dasharray: 2 2; }
.strip-of-days.short :is(.ok, .degraded, .failed) { fill: none; stroke: var(--pass); stroke-width: 23; } .strip-of-days.short .degraded { stroke: var(--warn); stroke-width: 16; } .strip-of-days.short .failed { stroke: var(--fail); stroke-width: 30; }
.scroll { overflow-x: auto; margin: .7rem 0; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.newest { direction: rtl; } .newest > * { direction: ltr; }
.scroll:focus-visible { outline-offset: 0; }
figure.wide { display: block; margin: .7rem 0; } figure.wide .scroll { margin: 0; padding: .5rem .6rem; }
figure.wide svg { display: block; width: 100%; min-width: 40rem; max-width: none; height: auto; }
figcaption { margin-top: .3rem; color: var(--soft); }
table.wide { table-layout: auto; font-size: .92rem; overflow-wrap: normal; }
.wide th, .wide td { padding: .4rem .7rem; } .wide tbody th { font-size: .92rem; color: var(--ink); font-weight: 600; }
.wide .amount { text-align: right; white-space: nowrap; } .wide tbody tr:first-child > * { border-top-color: var(--soft); }
.wide td:not(.amount), .wide tbody th { min-width: 7.5rem; } .wide td:not(.amount):last-child { min-width: 14rem; } .wide small { white-space: nowrap; } .wide th small { white-space: normal; }
small { display: block; font-size: .82rem; font-weight: 400; color: var(--soft); }
.grey { color: var(--soft); font-style: italic; }
h3 { margin-top: 1.6rem; } h4 { margin: 1.3rem 0 0; font-size: 1rem; } .lead { color: var(--soft); max-width: 46rem; }
main > section > p, main > section > details { margin-top: .7rem; } section li + li { margin-top: .2rem; }
.standing { font-weight: 600; } .standing.met { color: var(--pass); } .standing.missed { color: var(--fail); } .standing.undecided { color: var(--warn); }
.warning { color: var(--fail); } p.warning { margin-top: .3rem; font-weight: 600; }
nav[aria-label] { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
ul.hours { columns: 20rem; column-gap: 2rem; font-size: .9rem; }

.chart .tick { font: 10px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; fill: var(--soft); }
.chart .ok { fill: var(--pass); } .heat .ok { fill: var(--held); } .heat .unseen-hour { fill: var(--soft); }
.chart .failed { fill: var(--fail); } .heat .failed { stroke: var(--fail); stroke-width: .7; } .heat .few { fill: color-mix(in srgb, var(--fail) 20%, var(--sheet)); } .heat .some { fill: color-mix(in srgb, var(--fail) 60%, var(--sheet)); } .chart .degraded { fill: var(--warn); }
.chart .ring { fill: none; stroke: var(--warn); stroke-width: 1.5; } .chart .silent { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 1.5 3; }
.chart .base { stroke: var(--soft); stroke-width: .8; } .chart .grid { stroke: var(--line); stroke-width: .6; }
.chart .curve { fill: none; stroke: var(--link); stroke-width: 1.6; stroke-linejoin: round; }
.chart .forecast { stroke: var(--link); stroke-width: 1.6; stroke-dasharray: 6 4; } .chart .reserve { stroke: var(--fail); stroke-width: 1.2; stroke-dasharray: 1.5 3; }
.chart .sign { fill: var(--warn); }

@media (max-width: 64rem), print { .wide small { white-space: normal; } }
@media (max-width: 34rem) {
  table.wide, .wide tbody, .wide tr, .wide th, .wide td { display: block; } .wide tr { padding: .4rem .7rem; }
  .wide tbody tr > th, .wide tbody tr > td { min-width: 0; border: 0; padding: .12rem 0; white-space: normal; } .wide .amount, .wide small { white-space: normal; text-align: left; }
  .wide td:not(.amount):last-child { min-width: 0; }
  .wide td::before { content: attr(data-head); display: block; font-size: .8rem; color: var(--soft); } .wide td.amount { display: grid; grid-template-columns: minmax(0, 9rem) minmax(0, 1fr); gap: 0 .7rem; } .wide td.amount::before { grid-row: span 4; } .wide td.amount > small { grid-column: 2; }
}
@media print {
  nav[aria-label] { display: none; }
  .scroll { overflow: visible; } figure.wide svg { min-width: 0; max-width: 100%; flex-basis: auto; }
  table.wide { font-size: 8pt; } .wide th, .wide td { padding: .15rem .35rem; } .wide td:not(.amount), .wide td:not(.amount):last-child, .wide tbody th { min-width: 0; }
  .wide .amount { white-space: normal; } .wide thead { display: table-header-group; } .scroll { break-inside: auto; }
  .chart .ok, .chart .failed, .chart .degraded, .chart .sign { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
