import type { Run } from '../../contract/judge/verdict.ts';
import { formatInstant, secondsBetween } from '../words/instant.ts';
import { type Markup, markup, type Part } from '../words/markup.ts';
import { describeTransients, formatEntries, formatKeyQuota, formatRequests } from '../words/tally.ts';
import { levelMeanings, outcomeMeanings, outcomes, verdictMeanings } from '../words/wording.ts';
import { isWhole } from './findings.ts';
import { mark } from './marks.ts';
import { faultList } from './rules.ts';

/** Renders how the run was made, enough to repeat it, and what its words mean. */
export function methodPart(run: Run, kept: Part = inThisPage(run)): Markup {
  return markup`<section aria-labelledby="method-title"><details class="folded"><summary><h2 id="method-title">Method</h2> and the meaning of every word</summary><div id="method">
<dl class="facts">${facts(run).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h3>Verdicts</h3>${meanings(verdictMeanings)}
<h3>Levels</h3>${meanings(levelMeanings)}
<h3>Outcomes</h3><dl class="meanings">${outcomes.map((outcome) => markup`<div><dt>${mark(outcome)} ${outcome}</dt><dd>${outcomeMeanings[outcome]}</dd></div>`)}</dl>
<p>“Judged” counts the exchanges that a rule was put to. Exchange numbers are positions in <code>exchanges.har</code>, from 0; judging that file alone gives the same outcomes. Times are UTC. ${kept}</p>
${faultList(run)}</div></details></section>`;
}

/** Names the place of the run for programs. */
function inThisPage(run: Run): Markup {
  return markup`${isWhole(run) ? 'The whole run' : 'The run, without the examples of its findings,'} is in this page as JSON, in the element <code>#run</code>.`;
}

function facts(run: Run): [string, Part][] {
  const { target, seed, startedAt, finishedAt, entries, versions, label, commit } = run;
  const [passed, key] = [describeTransients(run), formatKeyQuota(run)];
  const lasted = secondsBetween(startedAt, finishedAt);
  return [
    ['Target', markup`${target.name}, <code>${target.baseUrl}</code>`],
    ['Started', formatInstant(startedAt)],
    ['Finished', `${formatInstant(finishedAt)}${lasted === undefined ? '' : `, after ${lasted} s`}`],
    ...(label === undefined ? [] : [['Label', label] satisfies [string, Part]]),
    ...(commit === undefined ? [] : [['Commit', markup`<code>${commit}</code>`] satisfies [string, Part]]),
    ['Requests', formatRequests(run)],
    ...(entries ? [['Entries', formatEntries(entries)] satisfies [string, Part]] : []),
    ...(key === undefined ? [] : [['Key', key] satisfies [string, Part]]),
    ...(passed === undefined ? [] : [['Failed on the way', passed] satisfies [string, Part]]),
    ['Seed', markup`<code>${seed}</code>`],
    ['Candleproof', versions.candleproof],
    ['Catalogue', `edition ${versions.catalogue}`],
    ['Spec (SHA-256)', markup`<code>${versions.specSha256}</code>`],
  ];
}

function meanings(words: Readonly<Record<string, string>>): Markup {
  const entries = Object.entries(words).map(
    ([word, meaning]) => markup`<div><dt>${word}</dt><dd>${meaning}</dd></div>`,
  );
  return markup`<dl class="meanings">${entries}</dl>`;
}
