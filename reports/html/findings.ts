import type { Run } from '../../contract/verdict.ts';
import { inOrder } from '../finding-order.ts';
import { type Markup, markup } from '../markup.ts';
import { ruleOf } from '../tally.ts';
import { findingCard } from './finding.ts';

/** All findings, musts first and new ones before those that the baseline knows. */
export function findingsPart(run: Run): Markup {
  const cards = inOrder(run).map((each, index) => findingCard(each, ruleOf(run, each.rule), index + 1));
  return markup`<section id="findings" aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>
${cards.length > 0 ? cards : markup`<p>${nothingFound(run)}</p>`}
${surprises(run)}</section>`;
}

function nothingFound({ verdict }: Run): string {
  return verdict === 'inconclusive'
    ? 'None, because the target could not be judged. This is no sign of health.'
    : 'None: every rule that could be put to the test holds.';
}

/** A baseline that lists what has been mended hides its next breach. */
function surprises({ rules }: Run): Markup | undefined {
  const surprised = rules.filter((each) => each.outcome === 'surprised');
  if (surprised.length === 0) return undefined;
  return markup`<aside class="note"><p>The baseline lists as failing what passed in this run. Take it off the list, so that its next failure is told:</p>
<ul>${surprised.map(({ id, statement }) => markup`<li><code>${id}</code> ${statement}</li>`)}</ul></aside>`;
}
