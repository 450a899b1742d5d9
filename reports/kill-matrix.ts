import {
  type Kill,
  type KillMatrix,
  killCurve,
  type Share,
  shareFound,
  type Witness,
} from '../results/kill-matrix.ts';
import { mark } from './html/marks.ts';
import { page } from './html/page.ts';
import { type Markup, markup } from './markup.ts';
import { plural } from './tally.ts';

/** The proof of a release as one HTML file, made like the report of a run. */
export function renderKillMatrix(matrix: KillMatrix): string {
  return page({
    title: 'Kill matrix · Candleproof',
    header: verdict(matrix),
    main: markup`${curvePart(matrix)}${classesPart(matrix)}${blindPart(matrix)}`,
    embedded: { id: 'kill-matrix', value: matrix },
  });
}

function verdict({ kills, healthy, startedAt, versions }: KillMatrix): Markup {
  const { found, all } = shareFound(kills);
  const isSound = healthy.accused.length === 0;
  return markup`<header class="banner ${isSound && found === all ? 'conformant' : 'nonconformant'}">${mark(isSound && found === all ? 'passed' : 'failed')}<div>
<p class="brand">Candleproof · kill matrix</p>
<h1>${found} of ${all} faults found</h1>
<p class="sentence">${healthyInWords(healthy)}</p>
<p class="target"><span>Version <b>${versions.candleproof}</b></span> <span>rules of edition <b>${versions.catalogue}</b></span> <time datetime="${startedAt}">${startedAt.slice(0, 10)}</time></p>
</div></header>`;
}

function healthyInWords({ runs, accused }: KillMatrix['healthy']): string {
  if (accused.length === 0)
    return `The healthy service was accused of nothing in ${plural(runs, 'run')} of the same kinds.`;
  return `The healthy service was accused ${plural(accused.length, 'time')} in ${plural(runs, 'run')}: ${accused.join(', ')}.`;
}

/** What fewer requests still find. */
function curvePart({ kills }: KillMatrix): Markup {
  const curve = killCurve(kills);
  return markup`<section aria-labelledby="curve-title"><h2 id="curve-title">What a budget finds</h2>
<p class="lead">Of the faults that one check can show, those found with no more than so many requests.</p>
<div class="tiles">${curve.map(({ budget, share }) => tile(`${budget} requests`, share))}</div></section>`;
}

function tile(name: string, { found, all }: Share): Markup {
  const percent = all === 0 ? 0 : Math.round((100 * found) / all);
  return markup`<div class="tile"><h2>${name}</h2><p class="large">${percent} % <small>${found} of ${all}</small></p>
<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="spent" width="${percent}" height="1"/></svg></div>`;
}

function classesPart({ kills }: KillMatrix): Markup {
  const classes = [...Map.groupBy(kills, (each) => each.class)];
  return markup`<section class="faults" aria-labelledby="faults-title"><h2 id="faults-title">Fault by fault</h2>
<p class="lead">Each was switched on alone in the reference service. A class in which all were found is folded.</p>
${classes.map(([name, all]) => classPart(name, all))}</section>`;
}

function classPart(name: string, kills: readonly Kill[]): Markup {
  const { found, all } = shareFound(kills);
  return markup`<details class="chapter"${found < all && ' open'}><summary><h3>${name}</h3><span class="strip">${kills.map((each) => mark(isFound(each) ? 'passed' : 'failed'))}</span><span class="score">${found} of ${all} found</span></summary>
<table><caption class="unseen">Faults of the class ${name}</caption><thead><tr><th scope="col">Fault</th><th scope="col">Found by</th><th scope="col">Takes</th></tr></thead>
<tbody>${kills.map(row)}</tbody></table></details>`;
}

function isFound({ foundBy }: Kill): boolean {
  return foundBy.length > 0;
}

function row(kill: Kill): Markup {
  const { number, id, title, scene, requests, milliseconds, limit, breaks } = kill;
  return markup`<tr><td>${title}<span class="rule-id"><code>${number} ${id}</code></span>${limit && markup`<p class="reason">${limitInWords(limit)}</p>`}</td>
<td>${isFound(kill) ? kill.foundBy.map(witness) : markup`<span class="outcome-word">${mark('failed')} not found</span><p class="reason">${breaks.length > 0 ? `expected: ${breaks.join(', ')}` : 'no rule tells it'}</p>`}</td>
<td>${scene}<p class="reason">${plural(requests, 'request')}, ${Math.round(milliseconds)} ms</p></td></tr>`;
}

function witness({ id, level }: Witness): Markup {
  return markup`<p><code>${id}</code> <span class="level ${level}">${level}</span></p>`;
}

function limitInWords({ unit, usual, smallest }: NonNullable<Kill['limit']>): string {
  if (smallest === null) return `not found at any size tried; usually ${usual} ${unit}`;
  return `found from ${smallest} ${unit} on; usually ${usual}`;
}

function blindPart({ unbuilt, kills }: KillMatrix): Markup {
  const lived = kills.filter((each) => !isFound(each));
  return markup`<section aria-labelledby="blind-title"><h2 id="blind-title">What it cannot see</h2>
${lived.length > 0 && markup`<p class="lead">Not found: ${lived.map((each) => each.number).join(', ')}, each above with what it would have broken.</p>`}
<table><caption class="unseen">Faults that are not shown</caption><thead><tr><th scope="col">Fault</th><th scope="col">Why nobody is shown it</th></tr></thead>
<tbody>${unbuilt.map(({ id, title, reason }) => markup`<tr><td>${title}<span class="rule-id"><code>${id}</code></span></td><td>${reason}</td></tr>`)}</tbody></table></section>`;
}
