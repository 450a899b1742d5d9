import { firstScreenStyles } from './first-screen-styles.ts';
import { markStyles } from './marks.ts';
import { printStyles } from './print-styles.ts';
import { tableStyles } from './table-styles.ts';

/** The look of a report. Light is the ground that dark and nothing else replaces: paper is always light. */
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
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

${markStyles}
.banner { display: flex; gap: clamp(.75rem, 3vw, 1.5rem); align-items: flex-start; padding: clamp(.8rem, 2vw, 1.1rem) clamp(.9rem, 3vw, 1.5rem);
  border: 1px solid var(--line); border-left: .6rem solid var(--warn); border-radius: 4px; background: var(--warn-wash); }
.banner > .mark { font-size: clamp(2.4rem, 8vw, 3.6rem); margin-top: .2rem; }
.banner > div { min-width: 0; }
.banner.conformant { border-left-color: var(--pass); background: var(--pass-wash); }
.banner.nonconformant { border-left-color: var(--fail); background: var(--fail-wash); }
.brand { color: var(--soft); font-size: .85rem; }
h1 { font-size: clamp(1.7rem, 7vw, 2.4rem); line-height: 1.1; letter-spacing: -.02em; overflow-wrap: normal; }
.conformant h1 { color: var(--pass); } .nonconformant h1 { color: var(--fail); } .inconclusive h1 { color: var(--warn); }
h1 small { display: block; margin-top: .3rem; color: var(--warn); font-size: 1.15rem; line-height: 1.35; letter-spacing: 0; overflow-wrap: anywhere; }
.sentence { font-size: 1.15rem; margin-top: .3rem; } .remark { margin-top: .3rem; }
.target { color: var(--soft); margin-top: .3rem; font-size: .95rem; }
.target b { color: var(--ink); } .target > * { margin-right: .8em; } time { white-space: nowrap; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; margin-top: 1rem; }
.tile { padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.tile h2 { font-size: .85rem; font-weight: 600; color: var(--soft); }
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
.finding { margin-top: 1.1rem; padding: clamp(.9rem, 2.5vw, 1.4rem); border: 1px solid var(--line); border-top: 3px solid var(--warn); border-radius: 4px; background: var(--sheet); }
.finding.must { border-top-color: var(--fail); } .finding.known { border-top-style: dashed; }
.tags { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .7rem; font-size: .9rem; color: var(--soft); }
.finding h3 { font-size: 1.25rem; margin-top: .45rem; }
.finding > .why { margin-top: .15rem; max-width: 46rem; }
.versus { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: .6rem; margin: .9rem 0 .6rem; }
.versus > div { padding: .5rem .75rem; background: var(--wash); border-left: 3px solid var(--pass); border-radius: 2px; }
.versus > .actual { border-left-color: var(--fail); }
dt { font-weight: 600; } .versus dt, .numbers dt { font-size: .8rem; color: var(--soft); }
.versus dd { font-size: .95rem; }
.where { font-size: .92rem; } .where code { color: var(--ink); }
figure { margin: .9rem 0; display: flex; flex-wrap: wrap; gap: .6rem 1.5rem; align-items: center; }
figure svg { flex: 1 1 20rem; min-width: 0; max-width: 34rem; height: auto; }
figcaption { flex: 1 1 12rem; font-size: .9rem; }
.numbers { max-width: 15rem; margin: .3rem 0 .5rem; } .numbers > div { display: flex; justify-content: space-between; border-top: 1px solid var(--line); padding: .08rem .3rem; }
.numbers > .named { background: var(--fail-wash); } .named dt, .named dd { color: var(--fail); font-weight: 700; }
.key { font-size: .8rem; }
.finding details { margin-top: .6rem; } .example { margin: .7rem 0 0 .2rem; padding-left: .9rem; border-left: 2px solid var(--line); }
.replay { margin-top: .8rem; padding-top: .7rem; border-top: 1px solid var(--line); font-size: .92rem; }
.replay span { font-weight: 600; margin-right: .5em; } .replay code { user-select: all; background: var(--wash); padding: .15rem .4rem; border-radius: 3px; box-decoration-break: clone; } .replay i { display: inline-block; font-style: normal; }
pre { margin: .5rem 0 0; padding: .7rem .9rem; background: var(--wash); border: 1px solid var(--line); border-radius: 3px; font: .84rem/1.5 var(--mono); white-space: pre-wrap; user-select: all; }
.note { margin-top: 1.1rem; padding: .8rem 1rem; background: var(--warn-wash); border-left: 3px solid var(--warn); }

.candles text { font: 9.5px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; fill: var(--soft); font-variant-numeric: tabular-nums; }
.candles .time, .candles .gap-name, .candles .panel-name { text-anchor: middle; } .candles .panel-name { font-style: italic; }
.candles .off { fill: var(--fail); font-weight: 600; } .candles .before { text-anchor: end; } .candles .end-name { fill: var(--fail); font-size: 8.5px; }
.grid { stroke: var(--line); stroke-width: .6; } .base { stroke: var(--soft); stroke-width: .8; }
.gap { stroke: var(--soft); stroke-dasharray: 2 3; } .band { fill: var(--fail-wash); }
.wick { stroke: var(--ink); stroke-width: 1.1; fill: none; } .body { stroke: var(--ink); stroke-width: 1.1; fill: var(--ink); }
.up .body { fill: var(--sheet); }
.offending .wick, .offending .body { stroke: var(--fail); } .offending .body { fill: var(--fail); } .offending.up .body { fill: var(--sheet); }
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
${tableStyles}${firstScreenStyles}${printStyles}`;
