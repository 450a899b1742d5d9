import type { Level, Outcome, RuleResult, Run, Verdict } from '../../contract/judge/verdict.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { causeExtent, causeRules, causeStatement, type FindingCause, findCauses } from '../words/causes.ts';
import { consequenceWords } from '../words/consequence.ts';
import { failedShoulds, remarks } from '../words/headline.ts';
import { formatInstant } from '../words/instant.ts';
import { type Markup, markup } from '../words/markup.ts';
import { nextStep } from '../words/next-step.ts';
import {
  formatKeyQuota,
  formatQuotaShare,
  groupUnjudged,
  plural,
  tallyRules,
  verdictSentence,
} from '../words/tally.ts';
import { outcomes, verdictWords } from '../words/wording.ts';
import { mark } from './marks.ts';
import { outcomeBar } from './rules.ts';

const verdictMarks: Readonly<Record<Verdict, Outcome>> = {
  conformant: 'passed',
  nonconformant: 'failed',
  inconclusive: 'inconclusive',
};

/** Most rules that are named for one reason; the matrix has them all. */
const mostNamed = 30;

/** Renders the first lines: the verdict and its cause, target and time, and the counts behind it. */
export function verdictPart(run: Run): Markup {
  const { target, startedAt, verdict } = run;
  const next = nextStep(run);
  return markup`<header class="page-head">
<div class="banner ${verdict}">${mark(verdictMarks[verdict])}
<div><p class="brand">Candleproof conformance report</p>
<h1>${verdictWords[verdict]}${failedShoulds(run).map((each) => markup`; <small>${each}</small>`)}</h1>
<p class="sentence">${verdictSentence(run)}</p>${
    next !== undefined &&
    markup`
<p class="next"><b>Next:</b> ${next}</p>`
  }${remarks(run).map(
    (each) => markup`
<p class="remark">${each}</p>`,
  )}
<p class="target"><b>${target.name}</b> <span class="url">${target.baseUrl}</span> <time datetime="${startedAt}">${formatInstant(startedAt)}</time></p>
</div></div>
${causesPart(run)}
<div class="tiles">${levelTile(run, 'must')}${levelTile(run, 'should')}${requestTile(run)}</div>
${openReasons(run.rules)}
${contents(run)}
</header>`;
}

function levelTile({ rules }: Run, level: Extract<Level, 'must' | 'should'>): Markup {
  const counted = tallyRules(rules, level);
  const reported = outcomes.filter((each) => each !== 'passed' && counted.by[each] > 0);
  return markup`<section class="tile"><h2>${level === 'must' ? 'Musts' : 'Shoulds'}</h2>
<p class="large">${thousands(counted.by.passed)} <small>of ${thousands(counted.total)} passed</small></p>${outcomeBar(counted)}
<ul>${reported.map((each) => markup`<li>${mark(each)} ${thousands(counted.by[each])} ${each}</li>`)}${reported.length === 0 && markup`<li>${mark('passed')} nothing else</li>`}</ul></section>`;
}

function requestTile(run: Run): Markup {
  const { sent, budget } = run.requests;
  const key = formatKeyQuota(run);
  if (budget === 0) {
    return markup`<section class="tile"><h2>Requests</h2>
<p class="large">0 <small>sent</small></p><p>This judges a recording.</p></section>`;
  }
  const share = Math.min(100, (100 * sent) / budget);
  return markup`<section class="tile"><h2>Requests</h2>
<p class="large">${thousands(sent)} <small>of a budget of ${thousands(budget)}</small></p>
<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="spent" width="${share.toFixed(2)}" height="1"/></svg>
<p>${formatQuotaShare(run)}</p>${key !== undefined && markup`<p>Key: ${key}</p>`}</section>`;
}

function openReasons(rules: readonly RuleResult[]): Markup | undefined {
  const open = groupUnjudged(rules);
  const count = [...open.values()].flat().length;
  if (count === 0) return undefined;
  const reasons = [...open].map(
    ([reason, all]) =>
      markup`<li>${reason}: ${all.slice(0, mostNamed).map(({ id, level }, index) => markup`${index > 0 && ', '}<code>${id}</code> (${level})`)}${all.length > mostNamed && ` and ${thousands(all.length - mostNamed)} more`}</li>`,
  );
  return markup`<details class="open-reasons"><summary>Why ${plural(count, 'rule')} could not be judged</summary><ul>${reasons}</ul></details>`;
}

function contents({ findings, rules, observations }: Run): Markup {
  const judged = rules.filter((each) => each.level !== 'observe');
  return markup`<nav aria-label="Contents"><a href="#findings">${plural(findings.length, 'finding')}</a> <a href="#matrix">${plural(judged.length, 'rule')}</a> <a href="#observations">${plural(observations.length, 'observation')}</a> <a href="#method">Method</a></nav>`;
}

/** As many as one screen holds under the verdict. */
const mostShown = 16;
/** Why the run failed, a line for each cause under what it costs; undefined where nothing failed. */
function causesPart(run: Run): Markup | undefined {
  const causes = findCauses(run);
  if (causes.length === 0) return undefined;
  const groups = Map.groupBy(causes.slice(0, mostShown), causeGroup);
  return markup`<section class="causes" aria-labelledby="causes-title"><h2 id="causes-title" class="unseen">What is broken</h2>
<table><caption class="unseen">Broken rules, the worst consequence first</caption><colgroup><col class="cost"><col><col class="extent"></colgroup><thead class="unseen"><tr><th scope="col">Consequence</th><th scope="col">What does not hold</th><th scope="col">Where, and how often</th></tr></thead>
${[...groups].map(([words, own]) => causeRows(words, own, run))}</table>
${moreCauses(causes.slice(mostShown))}</section>`;
}

function causeGroup({ consequence, findings: [{ finding }] }: FindingCause): string {
  return finding.known ? 'Known to the baseline' : consequenceWords(consequence);
}

function causeRows(words: string, causes: readonly FindingCause[], run: Run): Markup {
  return markup`<tbody>${causes.map((each, index) => markup`<tr>${index === 0 && markup`<th scope="rowgroup" rowspan="${causes.length}">${words}</th>`}${causeCells(each, run)}</tr>`)}</tbody>`;
}

function causeCells(cause: FindingCause, run: Run): Markup {
  const [{ finding, number }] = cause.findings;
  const statement = causeStatement(cause, run);
  const extent = causeExtent(cause);
  const others = causeRules(cause).slice(1);
  return markup`<td class="what" title="${statement}">${mark(finding.known ? 'known' : 'failed')} <span class="level">${finding.level}</span> <a href="#finding-${number}">${statement}</a>${others.length > 0 && markup` <span class="with">with ${others.join(', ')}</span>`}</td>
<td class="extent" title="${extent}">${cause.hides.length > 0 && markup`<b>hides ${plural(cause.hides.length, 'rule')}</b>; `}${extent}</td>`;
}

function moreCauses(causes: readonly FindingCause[]): Markup | undefined {
  if (causes.length === 0) return undefined;
  const named = causes
    .slice(0, mostShown)
    .map(
      (each, index) =>
        markup`${index > 0 && ', '}<a href="#finding-${each.findings[0].number}">${causeRules(each)[0]}</a>`,
    );
  const more = causes.length - named.length;
  return markup`<p class="remark">And ${plural(causes.length, 'more cause')}: ${named}${more > 0 && ` and ${more} more`}.</p>`;
}
