import type { DrawnCandle, Example, Finding, Run } from '../../contract/judge/verdict.ts';
import type { Exchange } from '../../contract/reading/exchange.ts';
import { describeCandles, fields, formatPrice, formatSpan, hasOffScale } from '../candles/figures.ts';
import { candlesSvg } from '../candles/svg.ts';
import { bugReport } from '../formats/bug-report.ts';
import { describeProofs } from '../kill-matrix/proofs.ts';
import { clip } from '../words/escape.ts';
import { baselineStatus, describeAcceptance, exchangeName } from '../words/findings.ts';
import { Markup, markup } from '../words/markup.ts';
import { findingSentence, findRule, formatExtent, plural } from '../words/tally.ts';
import { describeOperation, sectionName } from '../words/wording.ts';
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
  const rule = findRule(run, finding.rule);
  const [first, ...others] = finding.examples;
  const standing = baselineStatus(finding, run);
  const outcome = standing === 'known' ? 'known' : 'failed';
  const proof = describeProofs(finding.rule);
  return markup`<article class="finding ${finding.level} ${outcome}" id="${id}" aria-labelledby="${id}-title">
<p class="tags">${mark(outcome)}<span>Finding ${number}</span><span class="level ${finding.level}">${finding.level}</span>${standing === 'known' && tag('known to the baseline')}${standing === 'expired' && tag('known failing, expired')}${finding.intermittent && tag('intermittent')}<code>${finding.rule}</code><span>${sectionName(rule?.section ?? '')}</span></p>
<h3 id="${id}-title">${findingSentence(finding, run)}</h3>
${rule && markup`<p class="why">${rule.why}</p>`}
${mismatchPart(finding)}
<p class="where">${placeLine(finding, first)}</p>
${finding.known && markup`<p class="where">Accepted ${describeAcceptance(finding.known)}</p>`}
${first && candlesFigure(first, `${id}-1`)}
${requestPart(finding, run, exchanges)}
${others.length > 0 && markup`<details><summary>${plural(others.length, 'more example')}</summary>${others.map((each, index) => examplePart(each, `${id}-${index + 2}`))}</details>`}
<p class="replay"><span>Ask again</span> <code>${unbrokenWords(finding.replay)}</code></p>
${proof !== undefined && markup`<p class="proof"><b>Proven by</b> ${proof}.</p>`}
${bugReportPart(finding, run)}
</article>`;
}

/** A command whose words stay whole at the end of a line: `-` and `-only` are not `--only`. */
function unbrokenWords(command: string): Markup[] {
  return command.split(' ').map((word, index) => markup`${index > 0 && ' '}<i>${word}</i>`);
}

/** One click selects all of it, without a script. */
function bugReportPart(finding: Finding, run: Run): Markup {
  const lines = bugReport(finding, run).trimEnd().split('\n');
  return markup`<details class="bug-report"><summary>Tell the operator</summary><p class="why">Markdown to paste into a bug report; a click selects it.</p><pre>${lines.map((each, index) => [index > 0 && new Markup('\n'), each])}</pre></details>`;
}

function tag(text: string): Markup {
  return markup`<span class="tag">${text}</span>`;
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

/** The empty pointer is the body as a whole. */
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

function examplePart(each: Example, id: string): Markup {
  return markup`<div class="example"><p class="where">In ${examplePlace(each)}</p>${mismatchPart(each)}${candlesFigure(each, id)}</div>`;
}

/** The candles of an example drawn, with the numbers of those in question beneath. */
function candlesFigure({ candles = [], pointer }: Example, id: string): Markup | undefined {
  if (candles.length === 0) return undefined;
  const offending = candles.filter((each) => each.offending).slice(0, 2);
  return markup`<figure>${candlesSvg(candles, id)}
<figcaption>${offending.length > 0 ? offending.map((each) => candleNumbers(each, pointer)) : markup`<p>${describeCandles(candles)}</p>`}
<p class="key">hollow: closes higher · filled: closes lower · ◆ average${offending.length > 0 && ' · ▲ beneath: the candle in question'}${hasOffScale(candles) && ' · ▲ ▼ at the edge: off the scale'}</p></figcaption></figure>`;
}

/** The field that the pointer names stands out. */
function candleNumbers(candle: DrawnCandle, pointer: string): Markup {
  const cells = fields.map((field) => {
    const isNamed = pointer.endsWith(`/${field}`);
    return markup`<div${isNamed && markup` class="named"`}><dt>${field}</dt><dd>${formatPrice(candle[field])}</dd></div>`;
  });
  return markup`<p>${formatSpan(candle.start, candle.end)}</p><dl class="numbers">${cells}</dl>`;
}
