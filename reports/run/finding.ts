import type { Example, Finding, Run } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { bugReport } from '../formats/bug-report.ts';
import { describeProof, rankProofs } from '../kill-matrix/proofs.ts';
import type { NumberedFinding } from '../words/causes.ts';
import { clip } from '../words/escape.ts';
import {
  baselineStatus,
  describeAcceptance,
  describeBreach,
  exchangeName,
  findRule,
  formatExtent,
  placeName,
} from '../words/finding-words.ts';
import { listSome, plural } from '../words/format.ts';
import { joinLines, type Markup, markup } from '../words/markup.ts';
import { describeOperation, sectionName } from '../words/wording.ts';
import { mark } from './marks.ts';
import { evidenceFigure, type RowLink } from './picture.ts';
import { requestPart } from './request.ts';

/** Characters of a value from the target; the recording has all of it. */
const longestValue = 400;

/** Permanent addresses of findings and links to their raw exchanges, on a page that has them. */
export type FindingLinks = { anchor(finding: Finding): string; raw(finding: Finding): Markup };

export type CardLinks = { readonly row: RowLink; readonly page?: FindingLinks | undefined };

/** The findings of one rule that share a cause, whether their card is initially open, and whether the page draws it at its head. */
export type Card = {
  readonly findings: readonly [NumberedFinding, ...NumberedFinding[]];
  readonly isOpen: boolean;
  readonly isDrawn: boolean;
};

/** Renders a card: what is wrong, its picture and request, every place of it, and how to repeat the request. */
export function findingCard(
  { findings, isOpen, isDrawn }: Card,
  run: Run,
  exchanges: readonly Exchange[],
  { row, page: links }: CardLinks,
): Markup {
  const [{ finding, number }] = findings;
  const id = `finding-${number}`;
  const rule = findRule(run, finding.rule);
  const [first, ...others] = finding.examples;
  const outcome = baselineStatus(finding, run) === 'known' ? 'known' : 'failed';
  return markup`<article class="finding ${finding.level} ${outcome}" aria-labelledby="${id}-title"><details${isOpen && ' open'}><summary><h4 id="${id}-title">${mark(outcome)} ${describeBreach(finding, run)}</h4>
<p class="tags">${tags(finding, run)}<span>${listNumbers(findings)}</span><span>${sectionName(rule?.section ?? '')}</span></p></summary>
<div id="${id}">${links && markup`<i id="${links.anchor(finding)}"></i>`}${rule && markup`<p class="why"><b>${rule.statement}</b> ${rule.why}</p>`}
${isDrawn ? markup`<p class="where"><a href="#leading">Drawn at the head of the page</a></p>` : first && evidenceFigure(first, `${id}-1`, row)}
${mismatchPart(finding)}
${findings.length === 1 ? markup`<p class="where">${placeLine(finding, first)}</p>` : placesTable(findings, links)}
${finding.known && markup`<p class="where">Accepted ${describeAcceptance(finding.known)}</p>`}
${requestPart(findings[0], run, exchanges)}
${others.length > 0 && markup`<details><summary>${plural(others.length, 'more example')}</summary>${others.map((other, index) => markup`<div class="example"><p class="where">In ${examplePlace(other)}</p>${evidenceFigure(other, `${id}-${index + 2}`, row)}${mismatchPart(other)}</div>`)}</details>`}
<p class="replay"><span>Check this rule again</span> <code>${finding.replay.split(' ').map((word, index) => markup`${index > 0 && ' '}<i>${word}</i>`)}</code></p>
${proofPart(finding.rule)}
${bugReportPart(findings[0], run)}
${links && markup`<p class="raw">${links.raw(finding)}</p>`}</div></details></article>`;
}

function tags(finding: Finding, run: Run): Markup[] {
  const status = baselineStatus(finding, run);
  return [
    markup`<span class="level ${finding.level}">${finding.level}</span>`,
    ...(status === 'known' ? [tag('known to the baseline')] : []),
    ...(status === 'expired' ? [tag('known failing, expired')] : []),
    ...(finding.intermittent ? [tag('intermittent')] : []),
    markup`<code>${finding.rule}</code>`,
  ];
}

function tag(text: string): Markup {
  return markup`<span class="tag">${text}</span>`;
}

/** `Finding 3`, `Findings 3, 4, 9` */
function listNumbers(findings: Card['findings']): string {
  const numbers = findings.map(({ number }) => number);
  return `${numbers.length === 1 ? 'Finding' : 'Findings'} ${listSome(numbers, 6)}`;
}

function placesTable(findings: Card['findings'], links?: FindingLinks): Markup {
  return markup`<table class="places"><caption>In ${plural(findings.length, 'place')}</caption><thead><tr><th scope="col" class="outcome">Finding</th><th scope="col">Operation and field</th><th scope="col">Expected and actual</th></tr></thead>
<tbody>${findings.map((finding, index) => placeRow(finding, index === 0, links))}</tbody></table>`;
}

function placeRow({ finding, number }: NumberedFinding, isFirst: boolean, links?: FindingLinks): Markup {
  const { expected, actual } = finding;
  const anchor = !isFirst && markup` id="finding-${number}"`;
  return markup`<tr${anchor}><td>${number}${!isFirst && links && markup`<i id="${links.anchor(finding)}"></i>`}</td><td class="wide">${describeOperation(finding).request} at <code>${clip(placeName(finding), longestValue)}</code>, ${formatExtent(finding)}, first in ${exchangeName(finding)}</td><td class="wide">${clip(expected, longestValue)}<b class="got">${clip(actual, longestValue)}</b>${!isFirst && links?.raw(finding)}</td></tr>`;
}

/** Faults that are described; the rest appear only as numbers. */
const mostInWords = 2;

function proofPart(rule: string): Markup | undefined {
  const proofs = rankProofs(rule);
  if (proofs.length === 0) return undefined;
  return markup`<p class="proof"><b>Proven by</b> ${proofs.map((proof, index) => markup`${index > 0 && (index < mostInWords ? '; ' : ', ')}${proof.number}${index < mostInWords && ` ${describeProof(proof, rule)}`}`)}.</p>`;
}

/** Renders a text that one click selects, without a script. */
function bugReportPart({ finding, number }: NumberedFinding, run: Run): Markup {
  const lines = bugReport(finding, run).trimEnd().split('\n');
  return markup`<details class="bug-report"><summary id="report-${number}">Tell the operator</summary><p class="why">Markdown to paste into a bug report; a click selects it.</p><pre id="text-${number}">${joinLines(lines)}</pre></details>`;
}

function mismatchPart({ expected, actual }: Pick<Example, 'expected' | 'actual'>): Markup {
  return markup`<dl class="versus"><div><dt>Expected</dt><dd>${clip(expected, longestValue)}</dd></div><div class="actual"><dt>Actual</dt><dd>${clip(actual, longestValue)}</dd></div></dl>`;
}

function placeLine(finding: Finding, first: Example | undefined): Markup {
  const { intermittent } = finding;
  const { title, request } = describeOperation(finding);
  const again = intermittent && ' Requested again, the target once answered without this breach.';
  return markup`${title} <code>${request}</code>, ${extentLine(finding, first)}.${again}`;
}

/** Formats how often and where a finding was seen; an empty pointer means the whole body. */
function extentLine(finding: Finding, first: Example | undefined): Markup {
  const { count, pointer } = finding;
  const reported = formatExtent(finding);
  if (count === 1 && first) return markup`seen ${reported}, in ${examplePlace(first)}`;
  const place =
    pointer === '' ? markup`in the body as a whole` : markup`at <code>${clip(pointer, longestValue)}</code>`;
  return markup`seen ${reported} ${place}${first && markup`, first in ${examplePlace(first)}`}`;
}

function examplePlace(example: Example): Markup {
  const { pointer } = example;
  return markup`${exchangeName(example)}${pointer !== '' && markup` at <code>${clip(pointer, longestValue)}</code>`}`;
}
