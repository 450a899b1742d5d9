import { capitalize, thousands } from '@candleproof/law/reading/words';
import { banner, mark } from '../run/marks.ts';
import { contentLinks, page, type RunPage } from '../run/page.ts';
import { outcomeStrip } from '../run/rules.ts';
import { plural } from '../words/format.ts';
import { type Markup, markup, renderBatches } from '../words/markup.ts';
import {
  countFound,
  type FoundShare,
  type Kill,
  type KillMatrix,
  killCurve,
  type Limit,
  unprovenRules,
  type Witness,
} from './facts.ts';
import { killMatrixMarkdown } from './kill-matrix-markdown.ts';
import {
  describeCondition,
  describeEffects,
  describeHealthyRuns,
  describeProvenRules,
  describeScenes,
  describeSeeds,
  renderMatrixTerminal,
} from './kill-matrix-words.ts';
import { proofsJson } from './proofs.ts';

const mostWitnesses = 4;

/** Renders the proof of a release: its files by their names, and its result for a terminal. */
export function renderKillMatrix(matrix: KillMatrix) {
  return {
    files: {
      'kill-matrix.json': `${JSON.stringify(matrix, null, 2)}\n`,
      'kill-matrix.md': killMatrixMarkdown(matrix),
      'proofs.json': proofsJson(matrix),
      'index.html': killMatrixPage(matrix),
    },
    terminal: renderMatrixTerminal(matrix),
  };
}

/** Renders the kill matrix as one HTML file, in the style of a run's report. */
export function killMatrixPage(matrix: KillMatrix): string {
  return page({ ...killMatrixParts(matrix), embedded: { id: 'kill-matrix', value: matrix } });
}

/** Renders the kill matrix: which rule finds which fault. */
export function killMatrixParts(
  matrix: KillMatrix,
): Pick<RunPage, 'title' | 'kind' | 'contents' | 'header' | 'main'> {
  return {
    title: 'Kill matrix · Candleproof',
    kind: 'kill matrix',
    contents: contentLinks([
      ['#faults-title', matrix.kills.length, 'faults'],
      ['#blind-title', matrix.unbuilt.length, 'not shown'],
    ]),
    header: verdict(matrix),
    main: markup`${curvePart(matrix)}${classesPart(matrix)}${limitsPart(matrix)}${unprovenPart(matrix)}${blindPart(matrix)}`,
  };
}

function verdict(matrix: KillMatrix): Markup {
  const { kills, healthy, startedAt, versions } = matrix;
  const { found, all } = countFound(kills);
  const isSound = healthy.accused.length === 0;
  const lived = kills.filter((kill) => !isFound(kill));
  const lines = markup`<p class="sentence">Each fault was switched on in the cheapest way that shows it: ${describeScenes(kills)}. ${describeHealthyRuns(healthy)}.</p>
${[describeSeeds(kills), describeProvenRules(matrix)].map((sentence) => sentence && markup`<p class="sentence">${sentence}.</p>`)}
${lived.length > 0 && markup`<p class="sentence">Not found: ${lived.map(({ number }, index) => markup`${index > 0 && ', '}<a href="#${number}">${number}</a>`)}.</p>`}
<p class="target"><span>Version <b>${versions.candleproof}</b></span> <span>rules <b>${versions.catalogue}</b></span> <time datetime="${startedAt}">${startedAt.slice(0, 10)}</time></p>`;
  const title = `${found} of ${plural(all, 'known fault')} found: ${describeEffects(kills)}`;
  const isGood = isSound && found === all;
  return markup`<header class="page-head">${banner(isGood ? 'conformant' : 'nonconformant', isGood ? 'Nothing missed' : 'Not all found', title, lines)}</header>`;
}

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
  const classes = [...Map.groupBy(kills, (kill) => kill.class)];
  return markup`<section class="faults" aria-labelledby="faults-title"><h2 id="faults-title">Fault by fault</h2>
<p class="lead">Each was switched on alone in the reference service. A class in which all were found is folded.</p>
${classes.map(([name, all]) => classPart(name, all))}</section>`;
}

function classPart(name: string, kills: readonly Kill[]): Markup {
  const { found, all } = countFound(kills);
  const outcomes = kills.map((kill) => (isFound(kill) ? 'passed' : 'failed'));
  return markup`<details class="chapter"${found < all && ' open'}><summary><h3>${className(name)}</h3>${outcomeStrip(outcomes)}<span class="score">${found} of ${all} found</span></summary>
${renderBatches(kills, (some, range) => table(`Faults of the class ${name}${range}`, some))}</details>`;
}

/** Spelled-out names of abbreviated classes. */
const classNames: Readonly<Record<string, string>> = {
  OHLC: 'Open, high, low and close',
  auth: 'Authentication',
  avg: 'Averages',
  bucket: 'Bounds of intervals',
  closed: 'Closed candles',
  drift: 'Drift of the clock',
  enum: 'Values of parameters',
  float: 'Floating point',
  media: 'Media types',
  method: 'HTTP methods',
  null: 'Null values',
  time: 'Times',
  usd: 'Amounts in USD',
};

function className(name: string): string {
  return classNames[name] ?? capitalize(name);
}

function table(caption: string, kills: readonly Kill[]): Markup {
  return markup`<table class="kills"><caption class="visually-hidden">${caption}</caption><thead><tr><th scope="col">Fault</th><th scope="col">Found by</th><th scope="col">Takes</th></tr></thead>
<tbody>${kills.map(row)}</tbody></table>`;
}

function isFound({ foundBy }: Kill): boolean {
  return foundBy.length > 0;
}

function row(kill: Kill): Markup {
  const { number, id, title, requests, milliseconds, breaks } = kill;
  const expected =
    breaks.length > 0 ? `expected: ${breaks.map((witness) => witness.id).join(', ')}` : 'no rule tells it';
  return markup`<tr id="${number}"><td class="wide">${title}<code class="id">${number} ${id}</code></td>
<td class="wide">${isFound(kill) ? witnesses(kill.foundBy) : markup`<span class="unfound">${mark('failed')} not found</span><p class="reason">${expected}</p>`}</td>
<td class="wide">${describeCondition(kill)}<p class="reason">${plural(requests, 'request')}, ${thousands(Math.round(milliseconds))} ms</p></td></tr>`;
}

/** Renders the strictest witnesses, and folds the rest: some faults break enough rules to fill a page. */
function witnesses(all: readonly Witness[]): Markup {
  const [shown, rest] = [all.slice(0, mostWitnesses), all.slice(mostWitnesses)];
  return markup`${shown.map(renderWitness)}${rest.length > 0 && markup`<details><summary>and ${rest.length} more</summary>${rest.map(renderWitness)}</details>`}`;
}

function renderWitness({ id, level }: Witness): Markup {
  return markup`<p class="witness"><span>${level}</span> <code>${id}</code></p>`;
}

function unprovenPart({ rules }: KillMatrix): Markup | undefined {
  const unproven = unprovenRules(rules ?? []);
  if (unproven.length === 0) return undefined;
  return markup`<section aria-labelledby="unproven-title"><h2 id="unproven-title">Rules that no fault triggers</h2>
<p class="lead">They are proven by their own tests alone.</p>
<table><caption class="visually-hidden">Rules that no fault triggers</caption><thead><tr><th scope="col">Rule</th><th scope="col">Why</th></tr></thead>
<tbody>${unproven.map(({ id, level, reason = 'no reason is known' }) => markup`<tr><td class="wide"><code>${id}</code> <span class="reason">${level}</span></td><td class="wide">${reason}</td></tr>`)}</tbody></table></section>`;
}

function blindPart({ unbuilt }: KillMatrix): Markup {
  return markup`<section aria-labelledby="blind-title"><h2 id="blind-title">What it cannot see</h2>
<p class="lead">Faults that no client could tell from the answers, or that the service cannot show.</p>
<table><caption class="visually-hidden">Faults that are not shown</caption><thead><tr><th scope="col">Fault</th><th scope="col">Why it cannot be shown</th></tr></thead>
<tbody>${unbuilt.map(({ number = '', id, title, reason }) => markup`<tr><td class="wide">${title}<code class="id">${`${number} ${id}`.trimStart()}</code></td><td class="wide">${reason}</td></tr>`)}</tbody></table></section>`;
}

type Limited = Kill & { readonly limit: Limit };
/** Renders the mildest size at which each fault is still found, and the rule that finds it. */
function limitsPart({ kills }: KillMatrix): Markup | undefined {
  const limited = kills.filter((kill): kill is Limited => kill.limit !== undefined);
  if (limited.length === 0) return undefined;
  return markup`<section aria-labelledby="limits-title"><h2 id="limits-title">Limits of detection</h2>
<p class="lead">The mildest of the sizes that were tried at which what the fault breaks still tells: the limit of that rule.</p>
<table><caption class="visually-hidden">Faults that have sizes</caption><thead><tr><th scope="col">Fault</th><th scope="col">Found from</th><th scope="col">By</th></tr></thead>
<tbody>${limited.map(limitRow)}</tbody></table></section>`;
}

function limitRow({ number, id, title, limit: { smallest, usual, unit, foundBy } }: Limited): Markup {
  const [strictest] = foundBy;
  return markup`<tr><td class="wide">${title}<code class="id">${number} ${id}</code></td>
<td class="wide">${smallest === null ? 'no size that was tried' : `${smallest} ${unit}`}<p class="reason">usually ${usual}</p></td>
<td class="wide">${strictest && markup`<code>${strictest.id}</code> <span class="reason">${strictest.level}</span>`}</td></tr>`;
}
