import type { RuleResult, Run } from '../../contract/judge/verdict.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { proofsOfRule } from '../kill-matrix/proofs.ts';
import { inOrder } from '../words/finding-order.ts';
import { type Markup, markup } from '../words/markup.ts';
import { sectionName } from '../words/wording.ts';
import { inBatches } from './batches.ts';
import { mark } from './marks.ts';
import { outcomeStrip } from './outcome-bar.ts';

/** Numbers of the findings of each rule. */
type Numbers = ReadonlyMap<string, readonly { number: number }[]>;

/** Where a rule's row can be reached, and where its rule is explained; neither in a page that stands alone. */
export type RuleLinks = { anchor(rule: string): string; href(rule: string): string | undefined };

/** Sections of the document against the rules drawn from them, with what became of each. */
export function matrixPart(run: Run, links?: RuleLinks): Markup {
  const numbered = inOrder(run).map(({ rule }, index) => ({ rule, number: index + 1 }));
  const numbers = Map.groupBy(numbered, (each) => each.rule);
  const judged = run.rules.filter((each) => each.level !== 'observe');
  const sections = [...Map.groupBy(judged, (each) => each.section)].sort(([a], [b]) => bySection(a, b));
  return markup`<section id="matrix" aria-labelledby="matrix-title"><h2 id="matrix-title">The document, rule by rule</h2>
<p class="lead">Every statement of the document that a run can test, by section. A section in which nothing failed is folded. Beside a rule stand the faults of the kill matrix that make it fail.</p>
${sections.map(([section, all]) => sectionPart(section, all, numbers, links))}</section>`;
}

/** `2.2` before `4`, and what the document does not speak of last. */
export function bySection(a: string, b: string): number {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1;
  return a.localeCompare(b, 'en', { numeric: true });
}

function sectionPart(
  section: string,
  rules: readonly RuleResult[],
  numbers: Numbers,
  links: RuleLinks | undefined,
): Markup {
  const passed = rules.filter((each) => each.outcome === 'passed').length;
  const isNews = rules.some(({ outcome }) => outcome === 'failed' || outcome === 'surprised');
  const name = sectionName(section);
  return markup`<details class="chapter"${isNews && ' open'}><summary><h3>${name}</h3>${outcomeStrip(rules.map((each) => each.outcome))}<span class="score">${thousands(passed)} of ${thousands(rules.length)} passed</span></summary>
${inBatches(rules, (rows, range) => table(`Rules of ${name}${range}`, rows, numbers, links))}</details>`;
}

function table(
  caption: string,
  rules: readonly RuleResult[],
  numbers: Numbers,
  links: RuleLinks | undefined,
): Markup {
  return markup`<table><caption class="unseen">${caption}</caption><thead><tr><th scope="col" class="outcome">Outcome</th><th scope="col" class="level">Level</th><th scope="col">Rule</th><th scope="col" class="number">Judged</th></tr></thead>
<tbody>${rules.map((each) => row(each, numbers.get(each.id), links))}</tbody></table>`;
}

/** End tags are left out as HTML lets them be: in ten thousand rows they count. */
function row(
  { id, level, outcome, statement, evidence, reason }: RuleResult,
  findings: readonly { number: number }[] = [],
  links?: RuleLinks,
): Markup {
  return markup`<tr${links && markup` id="${links.anchor(id)}"`}><td class="outcome">${mark(outcome)} ${outcome}<td class="level">${level}<td class="wide">${statement}<code class="id">${named(id, links)}${findings.map(({ number }) => markup` <a href="#finding-${number}">finding ${number}</a>`)}</code>${reason && outcome !== 'passed' && markup`<p class="reason">${reason}</p>`}${faults(id)}<td class="number">${evidence}`;
}

function named(id: string, links: RuleLinks | undefined): Markup | string {
  const href = links?.href(id);
  return href === undefined ? id : markup`<a href="${href}">${id}</a>`;
}

/** What would have turned it red. */
function faults(rule: string): Markup | undefined {
  const proofs = proofsOfRule(rule);
  if (proofs.length === 0) return undefined;
  return markup`<p class="reason">proven by ${proofs.map(({ number, title }, index) => markup`${index > 0 && ', '}<span title="${title}">${number}</span>`)}</p>`;
}
