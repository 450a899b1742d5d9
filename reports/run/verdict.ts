import type { RuleResult, Run } from '@candleproof/law/judge/verdict';
import { capitalize, thousands } from '@candleproof/law/reading/words';
import { addressExample, type PlacedPicture } from '../candles/addressed.ts';
import {
  causeExtent,
  causeGroup,
  causeHeadline,
  causeRules,
  describeCause,
  type FindingCause,
  findCauses,
  findLeading,
  type NumberedFinding,
} from '../words/causes.ts';
import { formatExtent } from '../words/finding-words.ts';
import { formatInstant, formatMinute, plural } from '../words/format.ts';
import { caveats, nextStep, remarks } from '../words/headline.ts';
import { joinParts, type Markup, markup, type Part, unit } from '../words/markup.ts';
import { countMusts, groupUnjudged, tallyRules, verdictOutcome } from '../words/tally.ts';
import { describeWitnesses } from '../words/witness-words.ts';
import { describeOperation, verdictWords } from '../words/wording.ts';
import { banner, factsLine, mark } from './marks.ts';
import { contentLinks, copyButton } from './page.ts';
import { evidenceFigure, type RowLink } from './picture.ts';
import { readingPart } from './reading.ts';
import { outcomeBar } from './rules.ts';
import { witnessesPart } from './witnesses.ts';

/** Most rules that are named for one reason; the matrix has all of them. */
const mostNamed = 30;

/** Renders the first lines: what is wrong, the verdict with its counts, and every cause. */
export function verdictPart(run: Run, row: RowLink): Markup {
  const { target, startedAt, verdict } = run;
  const { budget } = run.requests;
  const causes = findCauses(run);
  const next = nextStep(run);
  const notes = remarks(run).join(' ');
  const facts: Part[] = [
    ...caveats(run),
    markup`<b>${target.name}</b> <span class="url">${target.baseUrl}</span>`,
    markup`<time datetime="${startedAt}">${formatInstant(startedAt)}</time>`,
    ...(budget === 0 ? ['judges a recording'] : []),
  ];
  const leading = findLeading(run, causes);
  const lines = markup`${leading && leadWords(leading)}${factsLine(facts)}${next !== undefined && markup`<p class="next"><b>Next:</b> ${next}</p>`}${notes !== '' && markup`<p class="remark">${notes}</p>`}${leading && actions(leading)}`;
  return markup`<header class="page-head">
<div class="hero">${banner(verdict, verdictWords[verdict], causeHeadline(run, causes), lines, verdictOutcome(verdict, countMusts(run)))}
${scores(run)}</div>
${leadingPicture(run, causes, row)}${readingPart(run)}
${causesPart(causes, run)}
${openReasons(run.rules)}
</header>`;
}

function leadingPicture(run: Run, causes: readonly FindingCause[], row: RowLink): Markup | undefined {
  const leading = findLeading(run, causes);
  const witnesses = leading?.cause.explanation && witnessesPart(leading.cause.explanation, row);
  if (witnesses) return witnesses;
  const [example] = findDrawn(run, causes)?.finding.examples ?? [];
  const drawing = leading && example && evidenceFigure(example, 'leading', row, leadingStrip(leading));
  if (!drawing) return undefined;
  return markup`<section class="leading" id="leading" aria-label="Expected and received">${drawing}</section>`;
}

/** Returns the finding that is drawn at the head of a page: of a gap, the one that says what it is compared with. */
export function findDrawn(run: Run, causes: readonly FindingCause[]): NumberedFinding | undefined {
  const leading = findLeading(run, causes);
  if (!leading || leading.cause.explanation?.witnesses) return undefined;
  const compared = leading.cause.findings.find(
    ({ finding: { known, examples } }) => !known && examples[0]?.picture?.other !== undefined,
  );
  return (isGap(leading) && compared) || leading;
}

function leadingStrip({
  finding: {
    examples: [first],
  },
}: NumberedFinding): PlacedPicture['strip'] {
  return first && addressExample(first).picture.strip;
}

function isGap({ finding }: NumberedFinding): boolean {
  return (finding.examples[0]?.picture?.missing?.length ?? 0) > 0;
}

function openReasons(rules: readonly RuleResult[]): Markup | undefined {
  const open = groupUnjudged(rules);
  const count = [...open.values()].flat().length;
  if (count === 0) return undefined;
  const reasons = [...open].map(
    ([reason, all]) =>
      markup`<li>${reason}: ${joinParts(
        all.map(({ id, level }) => markup`<code>${id}</code> (${level})`),
        mostNamed,
      )}</li>`,
  );
  return markup`<details class="open-reasons"><summary>Why ${plural(count, 'rule')} could not be judged</summary><ul>${reasons}</ul></details>`;
}

/** Renders the links to the parts of a run's page, with their counts. */
export function runContents({ findings, rules, observations }: Run): Markup[] {
  const judged = rules.filter((rule) => rule.level !== 'observe');
  const count = (all: readonly unknown[], noun: string): [number, string] => [
    all.length,
    `${noun}${all.length === 1 ? '' : 's'}`,
  ];
  return contentLinks([
    ['#findings', ...count(findings, 'finding')],
    ['#matrix', ...count(judged, 'rule')],
    ['#observations', ...count(observations, 'observation')],
    ['#method', undefined, 'Method'],
  ]);
}

/**
 * Renders the one action, to copy the text for the operator; the request and the command that checks the finding again are
 * folded. A page cannot know its folder, and would tell a path of the machine that made it.
 */
function actions({ number, finding }: NumberedFinding): Markup {
  const curl =
    finding.examples[0]?.request &&
    markup` <a href="#request-${number}">The request as curl</a> ${copyButton(`curl-${number}`, 'Copy curl')}`;
  return markup`<p class="acts first">${copyButton(`text-${number}`, 'Copy report')}</p>
<details class="repeat"><summary>Repeat the request, or see whether it is fixed</summary><p class="acts"><a href="#report-${number}">The report as text</a>${curl}</p><p class="acts">Fixed? <code id="replay">npx candleproof replay DIR ${number}</code> ${copyButton('replay', 'Copy command')} DIR is the folder of this page.</p></details>`;
}

/** Says what proves the leading cause, in how many rows of how many, and since when: beneath the headline that names it. */
function leadWords({
  cause: { explanation },
  finding,
  number,
}: NonNullable<ReturnType<typeof findLeading>>): Markup {
  const { sentence, examples } = finding;
  const proof = explanation && describeWitnesses(explanation);
  const seen = `${capitalize(formatExtent(finding))}, in ${describeOperation(finding).title}.`;
  const wrong = proof === undefined ? [] : (explanation?.witnesses?.rows ?? []);
  // The sentence is about the series of the first example.
  const { candles = [], picture } = examples[0] ?? {};
  const shown = [...candles.filter(({ offending }) => offending), ...(picture?.missing ?? [])];
  const [first] = [...(wrong.length > 0 ? wrong : shown)].sort((a, b) => a.start - b.start);
  return markup`<p class="sentence">${proof ?? sentence ?? seen}${first && ` The first is that of ${formatMinute(first.start)} UTC.`} <a href="#finding-${number}">Finding ${number}</a></p>`;
}

/** Renders what was judged and what it took, each as a bar with its counts. */
function scores(run: Run): Markup {
  const { sent, budget } = run.requests;
  const { quota } = run;
  return markup`<dl class="scores">${levelScore(run.rules, 'must')}${levelScore(run.rules, 'should')}${budget > 0 && spentScore('Requests', sent, budget, `${thousands(sent)} of ${thousands(budget)}`)}${quota && quota.limit > 0 && spentScore('Key', quota.limit - quota.remaining, quota.limit, markup`${thousands(quota.remaining)} left<small>of ${thousands(quota.limit)} this month</small>`)}</dl>`;
}

function levelScore(rules: readonly RuleResult[], level: 'must' | 'should'): Markup | undefined {
  const counted = tallyRules(rules, level);
  const { total, by } = counted;
  if (total === 0) return undefined;
  const [failed, held, open] = [by.failed, by.passed + by.surprised, by.unexercised + by.inconclusive];
  const counts: Part[] = [
    ...(failed > 0
      ? [markup`<b class="failing">${thousands(failed)} ${failed === 1 ? 'fails' : 'fail'}</b>`]
      : []),
    ...(by.known > 0 ? [`${thousands(by.known)} known to fail`] : []),
    `${thousands(held)} ${held === 1 ? 'holds' : 'hold'}`,
  ];
  return markup`<div><dt>${level === 'must' ? 'Musts' : 'Shoulds'}</dt><dd>${outcomeBar(counted)}${joinParts(counts)}${open > 0 && markup`<small>${thousands(open)} of ${thousands(total)} not judged</small>`}</dd></div>`;
}

function spentScore(name: string, spent: number, of: number, text: Part): Markup {
  const share = Math.max(0, Math.min(100, (100 * spent) / of));
  return markup`<div><dt>${name}</dt><dd><svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><path class="spent" d="M0 0h${unit(share)}v4h-${unit(share)}z"/></svg>${text}</dd></div>`;
}

const mostShown = 16;

/** Renders why the run failed, a line for each cause under its consequence, and how causes follow from rules. */
function causesPart(causes: readonly FindingCause[], run: Run): Markup | undefined {
  if (causes.length === 0) return undefined;
  const groups = Map.groupBy(causes.slice(0, mostShown), causeGroup);
  return markup`<section class="causes" aria-labelledby="causes-title"><h2 id="causes-title" class="visually-hidden">What is broken</h2>
<table><caption class="visually-hidden">Broken rules, the worst consequence first</caption><colgroup><col class="cost"><col><col class="extent"></colgroup><thead class="visually-hidden"><tr><th scope="col">Consequence</th><th scope="col">What is wrong</th><th scope="col">Where, and how often</th></tr></thead>
${[...groups].map(([words, group]) => markup`<tbody>${group.map((cause, index) => markup`<tr>${index === 0 && markup`<th scope="rowgroup" rowspan="${group.length}">${words}</th>`}${causeCells(cause, run)}</tr>`)}</tbody>`)}</table>
${moreCauses(causes.slice(mostShown))}<p class="remark">${countFindings(causes)}</p></section>`;
}

/** `28 findings, 12 rules, 9 causes`, each with its meaning. */
function countFindings(causes: readonly FindingCause[]): string {
  const findings = causes.flatMap((cause) => cause.findings);
  const rules = new Set(findings.map(({ finding }) => finding.rule));
  const open = causes.filter(({ sentence }) => sentence === undefined).length;
  const unknown = open > 0 ? `, ${open} of them not identified` : '';
  return `${plural(causes.length, 'cause')}${unknown}, ${plural(rules.size, 'rule')}, ${plural(findings.length, 'finding')}. A finding is one rule broken in one field of one operation. Findings that one defect explains are one cause. A failed must decides the verdict, a failed should does not.`;
}

function causeCells(cause: FindingCause, run: Run): Markup {
  const [{ finding, number }] = cause.findings;
  const others = causeRules(cause).slice(1);
  return markup`<td>${mark(finding.known ? 'known' : 'failed')} <span class="level">${finding.level}</span> <a href="#finding-${number}">${describeCause(cause, run)}</a>${others.length > 0 && markup` <span class="with">also breaks ${others.join(', ')}</span>`}</td>
<td class="extent">${cause.hides.length > 0 && markup`<b>${plural(cause.hides.length, 'rule')} could not be judged because of this</b>; `}${causeExtent(cause)}</td>`;
}

function moreCauses(causes: readonly FindingCause[]): Markup | undefined {
  if (causes.length === 0) return undefined;
  const links = causes.map(
    (cause) => markup`<a href="#finding-${cause.findings[0].number}">${causeRules(cause)[0]}</a>`,
  );
  return markup`<p class="remark">And ${plural(causes.length, 'more cause')}: ${joinParts(links, mostShown)}.</p>`;
}
