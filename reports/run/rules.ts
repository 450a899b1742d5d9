import type { Observation, Outcome, RuleResult, Run } from '@candleproof/law/judge/verdict';
import { thousands } from '@candleproof/law/reading/words';
import { clip } from '../words/escape.ts';
import { plural } from '../words/format.ts';
import { type Markup, markup, type Part, renderBatches } from '../words/markup.ts';
import { groupBySection, type RuleTally, tallyOutcomes } from '../words/tally.ts';
import { outcomes, outcomeWords, sectionName } from '../words/wording.ts';
import { mark } from './marks.ts';

/** Addresses of a rule's row and of its explanation; a single page has neither. */
export type RuleLinks = { anchor(rule: string): string; href(rule: string): string | undefined };

/** Renders the sections of the document with their rules and outcomes. */
export function matrixPart(run: Run, links?: RuleLinks): Markup {
  const numbered = run.findings.map(({ rule }, index) => ({ rule, number: index + 1 }));
  const numbers = Map.groupBy(numbered, (entry) => entry.rule);
  const row = (rule: RuleResult): Markup => ruleRow(rule, numbers.get(rule.id), links);
  const judged = run.rules.filter((rule) => rule.level !== 'observe');
  return markup`<section id="matrix" aria-labelledby="matrix-title"><h2 id="matrix-title">The document, rule by rule</h2>
<p class="lead">Every statement of the document that a run can test, by section. A section in which nothing failed is folded.</p>
${groupBySection(judged).map(([section, all]) => sectionPart(section, all, row))}</section>`;
}

/** Words the outcomes of a section: `8 of 9 judged passed, 3 of 12 not judged`, `18 not judged`. */
function sectionScore(all: readonly Outcome[]): string {
  const { total, by } = tallyOutcomes(all);
  const open = by.unexercised + by.inconclusive;
  if (open === total) return `${thousands(open)} not judged`;
  const passed = `${thousands(by.passed + by.surprised)} of ${thousands(total - open)} judged passed`;
  return open === 0 ? passed : `${passed}, ${thousands(open)} of ${thousands(total)} not judged`;
}

function sectionPart(
  section: string,
  rules: readonly RuleResult[],
  row: (rule: RuleResult) => Markup,
): Markup {
  const all = rules.map((rule) => rule.outcome);
  const isNews = rules.some(({ outcome }) => outcome === 'failed' || outcome === 'surprised');
  const name = sectionName(section);
  return markup`<details class="chapter"${isNews && ' open'}><summary><h3>${name}</h3>${outcomeStrip(all)}<span class="score">${sectionScore(all)}</span></summary>
${renderBatches(rules, (rows, range) => ruleTable(`Rules of ${name}${range}`, rows.map(row)))}</details>`;
}

function ruleTable(caption: string, rows: readonly Markup[]): Markup {
  return markup`<table><caption class="visually-hidden">${caption}</caption><thead><tr><th scope="col" class="outcome">Outcome</th><th scope="col" class="level">Level</th><th scope="col">Rule</th><th scope="col" class="number">Judged</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

/** Renders a row without optional end tags, which save space in ten thousand rows. */
function ruleRow(
  { id, level, outcome, statement, evidence, reason }: RuleResult,
  findings: readonly { number: number }[] = [],
  links?: RuleLinks,
): Markup {
  return markup`<tr${links && markup` id="${links.anchor(id)}"`}><td class="outcome">${mark(outcome)} ${outcomeWords[outcome]}<td class="level">${level}<td class="wide">${statement}<code class="id">${ruleName(id, links)}${findings.map(({ number }) => markup` <a href="#finding-${number}">finding ${number}</a>`)}</code>${reason && outcome !== 'passed' && markup`<p class="reason">${reason}</p>`}<td class="number">${evidence}`;
}

function ruleName(id: string, links: RuleLinks | undefined): Markup | string {
  const href = links?.href(id);
  return href === undefined ? id : markup`<a href="${href}">${id}</a>`;
}

const mostMarks = 80;
/** Renders a mark for each outcome if they remain distinguishable, else a bar. */
export function outcomeStrip(all: readonly Outcome[]): Markup {
  const shown: Part = all.length > mostMarks ? outcomeBar(tallyOutcomes(all)) : all.map(mark);
  return markup`<span class="strip">${shown}</span>`;
}

/** Renders outcomes as lengths, worst first. */
export function outcomeBar({ total, by }: RuleTally): Markup {
  let x = 0;
  const parts = outcomes.map((outcome) => {
    const width = total > 0 ? (100 * by[outcome]) / total : 0;
    const part = markup`<rect class="${outcome}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="1"/>`;
    x += width;
    return part;
  });
  return markup`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

const longestAnswer = 600;
/** Renders how this target answers the document's open questions; changes first. */
export function observationsPart(run: Run): Markup {
  const sorted = run.observations.toSorted((a, b) => Number(b.changed) - Number(a.changed));
  const rules = new Map(run.rules.map((rule) => [rule.id, rule]));
  const changed = sorted.filter((observation) => observation.changed).length;
  return markup`<section aria-labelledby="observations-title"><details class="folded"${changed > 0 && ' open'}><summary><h2 id="observations-title">Observations</h2> ${thousands(sorted.length)}${changed > 0 && `, ${thousands(changed)} changed`}</summary><div id="observations">
<p class="lead">What the document leaves open and how this target answers. None is right or wrong; a change is worth knowing, because someone relies on the old answer.</p>
${sorted.length === 0 ? markup`<p>Nothing was observed.</p>` : renderBatches(sorted, (some) => markup`<dl class="observations">${some.map((observation) => observationEntry(observation, rules.get(observation.id)))}</dl>`)}
${unansweredQuestions(run.rules)}</div></details></section>`;
}

function observationEntry(
  { question, answer, changed, before }: Observation,
  rule: RuleResult | undefined,
): Markup {
  return markup`<div class="observation${changed && ' changed'}"><dt>${question} ${rule && markup`<span class="section">${sectionName(rule.section)}</span>`}</dt>
<dd>${changed && markup`<span class="tag">changed</span> `}<b>${clip(answer, longestAnswer)}</b>${before !== undefined && markup` <span>before: ${clip(before, longestAnswer)}</span>`}${rule && markup`<p class="why">${rule.why}</p>`}</dd></div>`;
}

function unansweredQuestions(rules: readonly RuleResult[]): Markup | undefined {
  const open = rules.filter((rule) => rule.level === 'observe' && rule.outcome !== 'passed');
  if (open.length === 0) return undefined;
  return markup`<details class="rest"><summary>${plural(open.length, 'question')} without an answer in this run</summary><ul class="unanswered">${open.map((ruleResult) => markup`<li>${ruleResult.statement}</li>`)}</ul></details>`;
}
