import { thousands } from '../../contract/reading/thousands.ts';
import {
  type FoundShare,
  type Kill,
  type KillMatrix,
  killCurve,
  shareFound,
  type Witness,
} from '../../results/kill-matrix.ts';
import { inBatches } from '../run/batches.ts';
import { mark } from '../run/marks.ts';
import { outcomeStrip } from '../run/outcome-bar.ts';
import { page, type RunPage } from '../run/page.ts';
import { type Markup, markup } from '../words/markup.ts';
import { plural } from '../words/tally.ts';
import { conditionInWords, limitsPart } from './kill-matrix-limits.ts';
import {
  effectsInWords,
  healthyInWords,
  rulesInWords,
  scenesInWords,
  seedsInWords,
  silentRules,
} from './kill-matrix-words.ts';

/** Of those that found one fault. */
const mostWitnesses = 4;

/** The proof of a release as one HTML file, made like the report of a run. */
export function renderKillMatrix(matrix: KillMatrix): string {
  return page({ ...killMatrixParts(matrix), embedded: { id: 'kill-matrix', value: matrix } });
}

export function killMatrixParts(matrix: KillMatrix): Pick<RunPage, 'title' | 'header' | 'main'> {
  return {
    title: 'Kill matrix · Candleproof',
    header: verdict(matrix),
    main: markup`${curvePart(matrix)}${classesPart(matrix)}${limitsPart(matrix)}${silentPart(matrix)}${blindPart(matrix)}`,
  };
}

function verdict(matrix: KillMatrix): Markup {
  const { kills, healthy, startedAt, versions } = matrix;
  const { found, all } = shareFound(kills);
  const isSound = healthy.accused.length === 0;
  const lived = kills.filter((each) => !isFound(each));
  return markup`<header class="banner ${isSound && found === all ? 'conformant' : 'nonconformant'}">${mark(isSound && found === all ? 'passed' : 'failed')}<div>
<p class="brand">Candleproof · kill matrix</p>
<h1>${effectsInWords(kills)}</h1>
<p class="sentence">What a pipeline sees of ${plural(all, 'known fault')}, each where the least shows it: ${scenesInWords(kills)}. ${found} of ${all} found. ${healthyInWords(healthy)}.</p>
${[seedsInWords(kills), rulesInWords(matrix)].map((each) => each && markup`<p class="sentence">${each}.</p>`)}
${lived.length > 0 && markup`<p class="sentence">Not found: ${lived.map(({ number }, index) => markup`${index > 0 && ', '}<a href="#${number}">${number}</a>`)}.</p>`}
<p class="target"><span>Version <b>${versions.candleproof}</b></span> <span>rules of edition <b>${versions.catalogue}</b></span> <time datetime="${startedAt}">${startedAt.slice(0, 10)}</time></p>
</div></header>`;
}

/** What fewer requests still find. */
function curvePart({ kills }: KillMatrix): Markup {
  const curve = killCurve(kills);
  return markup`<section aria-labelledby="curve-title"><h2 id="curve-title">What a budget finds</h2>
<p class="lead">Of the faults that one check can show, those found with no more than so many requests.</p>
<div class="tiles">${curve.map(({ budget, share }) => tile(`${budget} requests`, share))}</div></section>`;
}

function tile(name: string, { found, all }: FoundShare): Markup {
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
  const outcomes = kills.map((each) => (isFound(each) ? 'passed' : 'failed'));
  return markup`<details class="chapter"${found < all && ' open'}><summary><h3>${name}</h3>${outcomeStrip(outcomes)}<span class="score">${found} of ${all} found</span></summary>
${inBatches(kills, (some, range) => table(`Faults of the class ${name}${range}`, some))}</details>`;
}

function table(caption: string, kills: readonly Kill[]): Markup {
  return markup`<table class="kills"><caption class="unseen">${caption}</caption><thead><tr><th scope="col">Fault</th><th scope="col">Found by</th><th scope="col">Takes</th></tr></thead>
<tbody>${kills.map(row)}</tbody></table>`;
}

function isFound({ foundBy }: Kill): boolean {
  return foundBy.length > 0;
}

function row(kill: Kill): Markup {
  const { number, id, title, requests, milliseconds, breaks } = kill;
  const expected =
    breaks.length > 0 ? `expected: ${breaks.map((each) => each.id).join(', ')}` : 'no rule tells it';
  return markup`<tr id="${number}"><td class="wide">${title}<code class="id">${number} ${id}</code></td>
<td class="wide">${isFound(kill) ? witnesses(kill.foundBy) : markup`<span class="unfound">${mark('failed')} not found</span><p class="reason">${expected}</p>`}</td>
<td class="wide">${conditionInWords(kill)}<p class="reason">${plural(requests, 'request')}, ${thousands(Math.round(milliseconds))} ms</p></td></tr>`;
}

/** The strictest; a fault that breaks much would else fill a page. */
function witnesses(all: readonly Witness[]): Markup {
  const [shown, rest] = [all.slice(0, mostWitnesses), all.slice(mostWitnesses)];
  return markup`${shown.map(witness)}${rest.length > 0 && markup`<details><summary>and ${rest.length} more</summary>${rest.map(witness)}</details>`}`;
}

function witness({ id, level }: Witness): Markup {
  return markup`<p class="witness"><span>${level}</span> <code>${id}</code></p>`;
}

function silentPart({ rules }: KillMatrix): Markup | undefined {
  const silent = silentRules(rules ?? []);
  if (silent.length === 0) return undefined;
  return markup`<section aria-labelledby="silent-title"><h2 id="silent-title">Rules that no fault makes speak</h2>
<p class="lead">They are proven by their own tests alone.</p>
<table><caption class="unseen">Rules that spoke of no fault</caption><thead><tr><th scope="col">Rule</th><th scope="col">Why</th></tr></thead>
<tbody>${silent.map(({ id, level, reason = 'no reason is known' }) => markup`<tr><td class="wide"><code>${id}</code> <span class="reason">${level}</span></td><td class="wide">${reason}</td></tr>`)}</tbody></table></section>`;
}

function blindPart({ unbuilt }: KillMatrix): Markup {
  return markup`<section aria-labelledby="blind-title"><h2 id="blind-title">What it cannot see</h2>
<p class="lead">Faults that no client could tell from the answers, or that the service cannot show.</p>
<table><caption class="unseen">Faults that are not shown</caption><thead><tr><th scope="col">Fault</th><th scope="col">Why nobody is shown it</th></tr></thead>
<tbody>${unbuilt.map(({ number = '', id, title, reason }) => markup`<tr><td class="wide">${title}<code class="id">${`${number} ${id}`.trimStart()}</code></td><td class="wide">${reason}</td></tr>`)}</tbody></table></section>`;
}
