export const monitorStyles = `
.keep a { display: inline-block; min-height: 1.5rem; } .below { color: var(--fail); font-weight: 600; }
.wide small.state { white-space: normal; font-weight: 600; } .state.good { color: var(--pass); } .state.bad { color: var(--fail); } .state:is(.unseen, .planned) { color: var(--warn); }
#proven + .fold { margin-top: var(--s3); } .fold { border-top: 1px solid var(--line); padding: var(--s2) 0; } .fold > summary h2 { display: inline; font-size: var(--md); } .fold > summary span { color: var(--soft); }
.strip-of-days { display: block; width: 100%; min-width: 16.9rem; max-width: 25rem; } .strip-of-days .silent { stroke-dasharray: 2 2; }
.scroll { overflow-x: auto; margin: var(--s3) 0; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.newest { direction: rtl; } .newest > * { direction: ltr; }
.scroll:focus-visible { outline-offset: 0; }
figure.wide { display: block; margin: var(--s3) 0; } figure.wide .scroll { margin: 0; padding: var(--s2) var(--s2); }
figure.wide svg { display: block; width: 100%; min-width: 40rem; max-width: none; height: auto; }
figcaption { margin-top: var(--s1); color: var(--soft); }
table.wide { table-layout: auto; font-size: var(--sm); overflow-wrap: normal; }
.wide th, .wide td { padding: var(--s2) var(--s3); } .wide tbody th { font-size: var(--sm); color: var(--ink); font-weight: 600; }
.wide .amount { text-align: right; white-space: nowrap; } .wide tbody tr:first-child > * { border-top-color: var(--soft); }
.wide td:not(.amount), .wide tbody th { min-width: 7.5rem; } .wide td:not(.amount):last-child { min-width: 14rem; } .wide small { white-space: nowrap; } .wide th small { white-space: normal; }
small { display: block; font-size: var(--xs); font-weight: 400; color: var(--soft); }
.gray { color: var(--soft); font-style: italic; }
h3 { margin-top: var(--s5); } h4 { margin: var(--s5) 0 0; font-size: var(--md); } .lead { color: var(--soft); max-width: 46rem; }
main > section > p, main > section > details { margin-top: var(--s3); } section li + li { margin-top: var(--s1); }
.standing { font-weight: 600; } .standing.met { color: var(--pass); } .standing.missed { color: var(--fail); } .standing.undecided { color: var(--warn); }
p.warning { margin-top: var(--s2); padding: var(--s2) var(--s3); border-left: 3px solid var(--warn); background: var(--warn-wash); }
nav[aria-label] { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); }
ul.hours { columns: 20rem; column-gap: 2rem; font-size: var(--sm); }

.chart .tick { font: 12.5px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; fill: var(--soft); }
.chart .ok { fill: var(--ok); } .heat .unseen-hour { fill: var(--soft); }
.chart .failed { fill: var(--bad); } .heat .failed { stroke: var(--bad); stroke-width: .7; } .heat .few { fill: color-mix(in srgb, var(--bad) 20%, var(--sheet)); } .heat .some { fill: color-mix(in srgb, var(--bad) 60%, var(--sheet)); } .chart .degraded { fill: url(#hatch); }
.chart .ring { fill: none; stroke: var(--warn); stroke-width: 1.5; } .chart .silent { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 1.5 3; }
.chart .base { stroke: var(--soft); stroke-width: .8; } .chart .grid { stroke: var(--line); stroke-width: .6; }
.chart .curve { fill: none; stroke: var(--link); stroke-width: 1.6; stroke-linejoin: round; }
.bar.quota { height: .7rem; } .bar .planned { fill: var(--link); opacity: .4; } .bar .reserved { fill: url(#stripes); } .chart .reserve { stroke: var(--warn); stroke-width: 1.2; stroke-dasharray: 1.5 3; }

@media (max-width: 64rem), print { .wide small { white-space: normal; } }
@media (max-width: 34rem) {
  table.wide, .wide tbody, .wide tr, .wide th, .wide td { display: block; } .wide tr { padding: var(--s2) var(--s3); }
  .wide tbody tr > th, .wide tbody tr > td { min-width: 0; border: 0; padding: var(--s1) 0; white-space: normal; } .wide .amount, .wide small { white-space: normal; text-align: left; }
  .wide td:not(.amount):last-child { min-width: 0; }
  .wide td::before { content: attr(data-head); display: block; font-size: var(--xs); color: var(--soft); } .wide td.amount { display: grid; grid-template-columns: minmax(0, 9rem) minmax(0, 1fr); gap: 0 var(--s3); } .wide td.amount::before { grid-row: span 4; } .wide td.amount > small { grid-column: 2; }
}
@media print {
  nav[aria-label] { display: none; }
  .scroll { overflow: visible; } figure.wide svg { min-width: 0; max-width: 100%; flex-basis: auto; }
  table.wide { font-size: 8pt; } .wide th, .wide td { padding: var(--s1) var(--s2); } .wide td:not(.amount), .wide td:not(.amount):last-child, .wide tbody th { min-width: 0; }
  .wide .amount { white-space: normal; } .wide thead { display: table-header-group; } .scroll { break-inside: auto; }
  .chart .ok, .chart .failed, .chart .degraded { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
