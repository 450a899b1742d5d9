import type { Observation, RuleResult, Run } from '../../contract/judge/verdict.ts';
import { clip } from '../words/escape.ts';
import { type Markup, markup } from '../words/markup.ts';
import { plural } from '../words/tally.ts';
import { sectionName } from '../words/wording.ts';
import { inBatches } from './batches.ts';

const longestAnswer = 600;

/** What the document leaves open, and how this target answers it; changes first. */
export function observationsPart(run: Run): Markup {
  const sorted = run.observations.toSorted((a, b) => Number(b.changed) - Number(a.changed));
  const rules = new Map(run.rules.map((each) => [each.id, each]));
  return markup`<section id="observations" aria-labelledby="observations-title"><h2 id="observations-title">Observations</h2>
<p class="lead">What the document leaves open and how this target answers. None is right or wrong; a change is worth knowing, because someone relies on the old answer.</p>
${sorted.length === 0 ? markup`<p>Nothing was observed.</p>` : inBatches(sorted, (some) => markup`<dl class="observations">${some.map((each) => entry(each, rules.get(each.id)))}</dl>`)}
${unanswered(run.rules)}</section>`;
}

function entry({ question, answer, changed, before }: Observation, rule: RuleResult | undefined): Markup {
  return markup`<div class="observation${changed && ' changed'}"><dt>${question} ${rule && markup`<span class="section">${sectionName(rule.section)}</span>`}</dt>
<dd>${changed && markup`<span class="tag">changed</span> `}<b>${clip(answer, longestAnswer)}</b>${before !== undefined && markup` <span>before: ${clip(before, longestAnswer)}</span>`}${rule && markup`<p class="why">${rule.why}</p>`}</dd></div>`;
}

function unanswered(rules: readonly RuleResult[]): Markup | undefined {
  const open = rules.filter((each) => each.level === 'observe' && each.outcome !== 'passed');
  if (open.length === 0) return undefined;
  return markup`<details class="rest"><summary>${plural(open.length, 'question')} without an answer in this run</summary><ul class="unanswered">${open.map((each) => markup`<li>${each.statement}</li>`)}</ul></details>`;
}
