import type { Level, Outcome, RuleResult, Run, Verdict } from '../../contract/judge/verdict.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { failedShoulds, remarks } from '../words/headline.ts';
import { instantInWords } from '../words/instant.ts';
import { type Markup, markup } from '../words/markup.ts';
import { nextStep } from '../words/next-step.ts';
import { keyInWords, leftOpen, plural, shareInWords, tally, verdictSentence } from '../words/tally.ts';
import { outcomes, verdictWords } from '../words/wording.ts';
import { causesPart } from './causes.ts';
import { mark } from './marks.ts';
import { outcomeBar } from './outcome-bar.ts';

const markOf: Readonly<Record<Verdict, Outcome>> = {
  conformant: 'passed',
  nonconformant: 'failed',
  inconclusive: 'inconclusive',
};

/** Of the rules that share a reason; the matrix has them all. */
const mostNamed = 30;

/** What a reader in a hurry needs: the verdict, why, of what and when, and the counts behind it. */
export function verdictPart(run: Run): Markup {
  const { target, startedAt, verdict } = run;
  const next = nextStep(run);
  return markup`<header class="page-head">
<div class="banner ${verdict}">${mark(markOf[verdict])}
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
<p class="target"><b>${target.name}</b> <span class="url">${target.baseUrl}</span> <time datetime="${startedAt}">${instantInWords(startedAt)}</time></p>
</div></div>
${causesPart(run)}
<div class="tiles">${levelTile(run, 'must')}${levelTile(run, 'should')}${requestTile(run)}</div>
${openReasons(run.rules)}
${contents(run)}
</header>`;
}

function levelTile({ rules }: Run, level: Extract<Level, 'must' | 'should'>): Markup {
  const counted = tally(rules, level);
  const reported = outcomes.filter((each) => each !== 'passed' && counted.by[each] > 0);
  return markup`<section class="tile"><h2>${level === 'must' ? 'Musts' : 'Shoulds'}</h2>
<p class="large">${thousands(counted.by.passed)} <small>of ${thousands(counted.total)} passed</small></p>${outcomeBar(counted)}
<ul>${reported.map((each) => markup`<li>${mark(each)} ${thousands(counted.by[each])} ${each}</li>`)}${reported.length === 0 && markup`<li>${mark('passed')} nothing else</li>`}</ul></section>`;
}

function requestTile(run: Run): Markup {
  const { sent, budget } = run.requests;
  const key = keyInWords(run);
  if (budget === 0) {
    return markup`<section class="tile"><h2>Requests</h2>
<p class="large">0 <small>sent</small></p><p>This judges a recording.</p></section>`;
  }
  const share = Math.min(100, (100 * sent) / budget);
  return markup`<section class="tile"><h2>Requests</h2>
<p class="large">${thousands(sent)} <small>of a budget of ${thousands(budget)}</small></p>
<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="spent" width="${share.toFixed(2)}" height="1"/></svg>
<p>${shareInWords(run)}</p>${key !== undefined && markup`<p>Key: ${key}</p>`}</section>`;
}

function openReasons(rules: readonly RuleResult[]): Markup | undefined {
  const open = leftOpen(rules);
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
