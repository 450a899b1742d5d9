import type { RuleResult, Run } from '../../contract/judge/verdict.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import {
  causeExtent,
  causeGroup,
  causeHeadline,
  causeRules,
  type FindingCause,
  findCauses,
  findLeading,
} from '../words/causes.ts';
import { caveats, nextStep, remarks } from '../words/headline.ts';
import { formatInstant } from '../words/instant.ts';
import { type Markup, markup, type Part } from '../words/markup.ts';
import {
  countMusts,
  describeBreach,
  formatExtent,
  formatJudged,
  groupUnjudged,
  plural,
  verdictOutcome,
} from '../words/tally.ts';
import { verdictWords } from '../words/wording.ts';
import { banner, factsLine, mark } from './marks.ts';
import { evidenceFigure, type RowLink } from './picture.ts';

/** Most rules that are named for one reason; the matrix has all of them. */
const mostNamed = 30;

/** Renders the first lines: what is wrong, the verdict with its counts, and every cause. */
export function verdictPart(run: Run, row: RowLink): Markup {
  const { target, startedAt, verdict } = run;
  const { sent, budget } = run.requests;
  const causes = findCauses(run);
  const next = nextStep(run);
  const notes = remarks(run).join(' ');
  const facts: Part[] = [
    markup`<b class="verdict">${verdictWords[verdict]}</b>`,
    ...caveats(run),
    markup`<b>${target.name}</b> <span class="url">${target.baseUrl}</span>`,
    markup`<time datetime="${startedAt}">${formatInstant(startedAt)}</time>`,
    formatJudged(run.rules, 'must'),
    budget === 0 ? 'judges a recording' : `${thousands(sent)} of ${plural(budget, 'request')}`,
  ];
  const lines = markup`${factsLine(facts)}${next !== undefined && markup`<p class="next"><b>Next:</b> ${next}</p>`}${notes !== '' && markup`<p class="remark">${notes}</p>`}`;
  return markup`<header class="page-head">
${banner(verdict, 'Candleproof conformance report', causeHeadline(run, causes), lines, verdictOutcome(verdict, countMusts(run)))}
${leadingPicture(run, causes, row)}
${causesPart(causes, run)}
${openReasons(run.rules)}
${contents(run)}
</header>`;
}

function leadingPicture(run: Run, causes: readonly FindingCause[], row: RowLink): Markup | undefined {
  const leading = findLeading(run, causes);
  const [example] = leading?.finding.examples ?? [];
  const drawing = example && evidenceFigure(example, 'leading', row);
  if (!leading || !drawing) return undefined;
  return markup`<section class="leading" aria-label="Expected and received">${drawing}<p class="remark"><a href="#finding-${leading.number}">Finding ${leading.number}</a>: <code>${leading.finding.rule}</code>, ${formatExtent(leading.finding)}</p></section>`;
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
  const judged = rules.filter((rule) => rule.level !== 'observe');
  return markup`<nav aria-label="Contents"><a href="#findings">${plural(findings.length, 'finding')}</a> <a href="#matrix">${plural(judged.length, 'rule')}</a> <a href="#observations">${plural(observations.length, 'observation')}</a> <a href="#method">Method</a></nav>`;
}

const mostShown = 16;

/** Renders why the run failed, a line for each cause under its consequence, and how causes follow from rules. */
function causesPart(causes: readonly FindingCause[], run: Run): Markup | undefined {
  if (causes.length === 0) return undefined;
  const groups = Map.groupBy(causes.slice(0, mostShown), causeGroup);
  return markup`<section class="causes" aria-labelledby="causes-title"><h2 id="causes-title" class="visually-hidden">What is broken</h2>
<table><caption class="visually-hidden">Broken rules, the worst consequence first</caption><colgroup><col class="cost"><col><col class="extent"></colgroup><thead class="visually-hidden"><tr><th scope="col">Consequence</th><th scope="col">What is wrong</th><th scope="col">Where, and how often</th></tr></thead>
${[...groups].map(([words, group]) => causeRows(words, group, run))}</table>
${moreCauses(causes.slice(mostShown))}<p class="remark">${countFindings(causes)}</p></section>`;
}

/** `28 findings, 12 rules, 9 causes`, each with its meaning. */
function countFindings(causes: readonly FindingCause[]): string {
  const findings = causes.flatMap((cause) => cause.findings);
  const rules = new Set(findings.map(({ finding }) => finding.rule));
  return `${plural(causes.length, 'cause')}, ${plural(rules.size, 'rule')}, ${plural(findings.length, 'finding')}: a finding is one rule broken at one field of one operation; rules that one answer breaks together, and that a known fault breaks together, share a cause. A failed must decides the verdict, a failed should does not.`;
}

function causeRows(words: string, causes: readonly FindingCause[], run: Run): Markup {
  return markup`<tbody>${causes.map((cause, index) => markup`<tr>${index === 0 && markup`<th scope="rowgroup" rowspan="${causes.length}">${words}</th>`}${causeCells(cause, run)}</tr>`)}</tbody>`;
}

function causeCells(cause: FindingCause, run: Run): Markup {
  const [{ finding, number }] = cause.findings;
  const others = causeRules(cause).slice(1);
  return markup`<td>${mark(finding.known ? 'known' : 'failed')} <span class="level">${finding.level}</span> <a href="#finding-${number}">${describeBreach(finding, run)}</a>${others.length > 0 && markup` <span class="with">with ${others.join(', ')}</span>`}</td>
<td class="extent">${cause.hides.length > 0 && markup`<b>hides ${plural(cause.hides.length, 'rule')}</b>; `}${causeExtent(cause)}</td>`;
}

function moreCauses(causes: readonly FindingCause[]): Markup | undefined {
  if (causes.length === 0) return undefined;
  const named = causes
    .slice(0, mostShown)
    .map(
      (cause, index) =>
        markup`${index > 0 && ', '}<a href="#finding-${cause.findings[0].number}">${causeRules(cause)[0]}</a>`,
    );
  const more = causes.length - named.length;
  return markup`<p class="remark">And ${plural(causes.length, 'more cause')}: ${named}${more > 0 && ` and ${more} more`}.</p>`;
}
