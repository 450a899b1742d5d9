import type { Example, Finding, Run } from '../../contract/judge/verdict.ts';
import type { Exchange } from '../../contract/reading/exchange.ts';
import { bugReport } from '../formats/bug-report.ts';
import { proofInWords } from '../kill-matrix/proofs.ts';
import { clip } from '../words/escape.ts';
import { exchangeOf } from '../words/finding-text.ts';
import { Markup, markup } from '../words/markup.ts';
import { acceptanceInWords, standingOf } from '../words/standing.ts';
import { plural, ruleOf, seenInWords, sentenceOf } from '../words/tally.ts';
import { operationWords, sectionName } from '../words/wording.ts';
import { candlesFigure } from './candles-figure.ts';
import { mark } from './marks.ts';
import { requestPart } from './request.ts';

/** A value of the target's is shown as long as it can be taken in; the recording has all of it. */
const longestValue = 400;

/** One finding: what should hold and why, where it does not, what was found, its candles, how it was requested and is again. */
export function findingCard(
  finding: Finding,
  run: Run,
  number: number,
  exchanges: readonly Exchange[] = [],
): Markup {
  const id = `finding-${number}`;
  const rule = ruleOf(run, finding.rule);
  const [first, ...others] = finding.examples;
  const standing = standingOf(finding, run);
  const outcome = standing === 'known' ? 'known' : 'failed';
  const proof = proofInWords(finding.rule);
  return markup`<article class="finding ${finding.level} ${outcome}" id="${id}" aria-labelledby="${id}-title">
<p class="tags">${mark(outcome)}<span>Finding ${number}</span><span class="level ${finding.level}">${finding.level}</span>${standing === 'known' && tag('known to the baseline')}${standing === 'expired' && tag('known failing, expired')}${finding.intermittent && tag('intermittent')}<code>${finding.rule}</code><span>${sectionName(rule?.section ?? '')}</span></p>
<h3 id="${id}-title">${sentenceOf(finding, run)}</h3>
${rule && markup`<p class="why">${rule.why}</p>`}
${versus(finding)}
<p class="where">${where(finding, first)}</p>
${finding.known && markup`<p class="where">Accepted ${acceptanceInWords(finding.known)}</p>`}
${first && candlesFigure(first, `${id}-1`)}
${requestPart(finding, run, exchanges)}
${others.length > 0 && markup`<details><summary>${plural(others.length, 'more example')}</summary>${others.map((each, index) => example(each, `${id}-${index + 2}`))}</details>`}
<p class="replay"><span>Ask again</span> <code>${unbroken(finding.replay)}</code></p>
${proof !== undefined && markup`<p class="proof"><b>Proven by</b> ${proof}.</p>`}
${forOperator(finding, run)}
</article>`;
}

/** A command whose words stay whole at the end of a line: `-` and `-only` are not `--only`. */
function unbroken(command: string): Markup[] {
  return command.split(' ').map((word, index) => markup`${index > 0 && ' '}<i>${word}</i>`);
}

/** One click selects all of it, without a script. */
function forOperator(finding: Finding, run: Run): Markup {
  const lines = bugReport(finding, run).trimEnd().split('\n');
  return markup`<details class="bug-report"><summary>Tell the operator</summary><p class="why">Markdown to paste into a bug report; a click selects it.</p><pre>${lines.map((each, index) => [index > 0 && new Markup('\n'), each])}</pre></details>`;
}

function tag(text: string): Markup {
  return markup`<span class="tag">${text}</span>`;
}

function versus({ expected, actual }: Pick<Example, 'expected' | 'actual'>): Markup {
  return markup`<dl class="versus"><div><dt>Expected</dt><dd>${clip(expected, longestValue)}</dd></div><div class="actual"><dt>Actual</dt><dd>${clip(actual, longestValue)}</dd></div></dl>`;
}

function where(finding: Finding, first: Example | undefined): Markup {
  const { intermittent } = finding;
  const { title, request } = operationWords(finding);
  const again = intermittent && ' Requested again, the target once answered without this breach.';
  return markup`${title} <code>${request}</code>, ${seen(finding, first)}.${again}`;
}

/** The empty pointer is the body as a whole. */
function seen(finding: Finding, first: Example | undefined): Markup {
  const { count, pointer } = finding;
  const reported = seenInWords(finding);
  if (count === 1 && first) return markup`seen ${reported}, in ${placeIn(first)}`;
  const place =
    pointer === '' ? markup`in the body as a whole` : markup`at <code>${clip(pointer, longestValue)}</code>`;
  return markup`seen ${reported} ${place}${first && markup`, first in ${placeIn(first)}`}`;
}

function placeIn(example: Example): Markup {
  const { pointer } = example;
  return markup`${exchangeOf(example)}${pointer !== '' && markup` at <code>${clip(pointer, longestValue)}</code>`}`;
}

function example(each: Example, id: string): Markup {
  return markup`<div class="example"><p class="where">In ${placeIn(each)}</p>${versus(each)}${candlesFigure(each, id)}</div>`;
}
