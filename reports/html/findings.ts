import type { Run } from '../../contract/verdict.ts';
import { inOrder } from '../finding-order.ts';
import { type Markup, markup } from '../markup.ts';
import { acceptanceInWords, entriesThatAre } from '../standing.ts';
import { findingCard } from './finding.ts';
import { findingRows, mostInFull } from './finding-rows.ts';

/** All findings, musts first and new ones before those that the baseline knows. */
export function findingsPart(run: Run): Markup {
  const findings = inOrder(run);
  const cards = findings.slice(0, mostInFull).map((each, index) => findingCard(each, run, index + 1));
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
  return markup`<aside class="note"><p>The baseline lists as failing what no longer fails. Take it off the list, so that its next failure is told:</p>
<ul>${surprised.map((each) => markup`<li><code>${each.fingerprint}</code> ${acceptanceInWords(each)}</li>`)}</ul></aside>`;
}
