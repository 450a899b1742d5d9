import type { Finding, RuleResult, Run } from '../../contract/judge/verdict.ts';
import { clip } from '../words/escape.ts';
import { placeOf } from '../words/finding-text.ts';
import { type Markup, markup } from '../words/markup.ts';
import { standingOf } from '../words/standing.ts';
import { plural, seenInWords } from '../words/tally.ts';
import { operationWords } from '../words/wording.ts';
import { inBatches } from './batches.ts';

/** So many findings are reported in full; nobody reads more of them, and drawings cost a browser most. */
export const mostInFull = 50;

/** A value in a row. */
const longestValue = 120;

type Numbered = { readonly finding: Finding; readonly number: number };

/** The findings beyond those reported in full, one row each. */
export function findingRows(findings: readonly Finding[], run: Run): Markup | undefined {
  const rest = findings.map((finding, index) => ({ finding, number: index + 1 })).slice(mostInFull);
  if (rest.length === 0) return undefined;
  const rules = new Map(run.rules.map((each) => [each.id, each]));
  return markup`<h3 class="rest">${plural(rest.length, 'more finding')}</h3>
<p class="lead">The first ${mostInFull} are reported in full; of these, run.json has the examples.</p>
${inBatches(
  rest,
  (
    rows,
    range,
  ) => markup`<table><caption class="unseen">Further findings${range}</caption><thead><tr><th scope="col" class="outcome">Finding</th><th scope="col">Rule and place</th><th scope="col">Expected and actual</th></tr></thead>
<tbody>${rows.map((each) => row(each, rules, run))}</tbody></table>`,
)}`;
}

/** Ten thousand of these are read by a browser in a second: no element more, and end tags as HTML lets them go. */
function row({ finding, number }: Numbered, rules: ReadonlyMap<string, RuleResult>, run: Run): Markup {
  const { rule, level, expected, actual, replay, sentence } = finding;
  const known = standingOf(finding, run) === 'known' && ', known';
  const place = `${operationWords(finding).request} at ${clip(placeOf(finding), longestValue)}, ${seenInWords(finding)}`;
  return markup`<tr id="finding-${number}"><td>${number}, ${level}${known}<td class="wide">${sentence ?? rules.get(rule)?.statement ?? rule}<code class="id">${rule}</code> ${place}<td class="wide">${clip(expected, longestValue)}<b class="got">${clip(actual, longestValue)}</b><code class="id">${replay}</code>`;
}
