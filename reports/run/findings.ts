import type { Finding, Run } from '../../contract/judge/verdict.ts';
import type { Exchange } from '../../contract/reading/exchange.ts';
import { inOrder } from '../words/finding-order.ts';
import { type Markup, markup } from '../words/markup.ts';
import { acceptanceInWords, entriesThatAre } from '../words/standing.ts';
import { findingCard } from './finding.ts';
import { findingRows, mostInFull } from './finding-rows.ts';

/** What stands around the card of a finding. */
export type Framing = (card: Markup, finding: Finding) => Markup;

/** All findings, musts first and new ones before those that the baseline knows. */
export function findingsPart(
  run: Run,
  exchanges: readonly Exchange[] = [],
  framed: Framing = (card) => card,
): Markup {
  const findings = inOrder(run);
  const cards = findings
    .slice(0, mostInFull)
    .map((each, index) => framed(findingCard(each, run, index + 1, exchanges), each));
  return markup`<section id="findings"${findings.length > mostInFull && markup` class="many"`} aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>
${cards.length > 0 ? cards : markup`<p>${nothingFound(run)}</p>`}
${findingRows(findings, run)}
${surprises(run)}</section>`;
}

function nothingFound({ verdict }: Run): string {
  return verdict === 'inconclusive'
    ? 'None, because the target could not be judged. This is no sign of health.'
    : 'None: every rule that could be put to the test holds.';
}

/** A baseline that lists what has been mended hides its next breach. */
function surprises(run: Run): Markup | undefined {
  const surprised = entriesThatAre('surprised', run);
  if (surprised.length === 0) return undefined;
  return markup`<aside class="note"><p>The baseline lists as failing what no longer fails. Take it off the list, so that its next failure is reported:</p>
<ul>${surprised.map((each) => markup`<li><code>${each.fingerprint}</code> ${acceptanceInWords(each)}</li>`)}</ul></aside>`;
}
