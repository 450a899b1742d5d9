import type { Run } from '../../contract/judge/verdict.ts';
import {
  causesOf,
  extentInWords,
  type FindingCause,
  rulesOfCause,
  statementOfCause,
} from '../words/causes.ts';
import { consequenceWords } from '../words/consequence.ts';
import { type Markup, markup } from '../words/markup.ts';
import { plural } from '../words/tally.ts';
import { mark } from './marks.ts';

/** As many as one screen holds under the verdict. */
const mostShown = 16;

/** Why the run failed, a line for each cause under what it costs; undefined where nothing failed. */
export function causesPart(run: Run): Markup | undefined {
  const causes = causesOf(run);
  if (causes.length === 0) return undefined;
  const groups = Map.groupBy(causes.slice(0, mostShown), groupOf);
  return markup`<section class="causes" aria-labelledby="causes-title"><h2 id="causes-title" class="unseen">What is broken</h2>
<table><caption class="unseen">Broken rules, the worst consequence first</caption><colgroup><col class="cost"><col><col class="extent"></colgroup><thead class="unseen"><tr><th scope="col">Consequence</th><th scope="col">What does not hold</th><th scope="col">Where, and how often</th></tr></thead>
${[...groups].map(([words, own]) => group(words, own, run))}</table>
${rest(causes.slice(mostShown))}</section>`;
}

function groupOf({ consequence, findings: [{ finding }] }: FindingCause): string {
  return finding.known ? 'Known to the baseline' : consequenceWords(consequence);
}

function group(words: string, causes: readonly FindingCause[], run: Run): Markup {
  return markup`<tbody>${causes.map((each, index) => markup`<tr>${index === 0 && markup`<th scope="rowgroup" rowspan="${causes.length}">${words}</th>`}${cells(each, run)}</tr>`)}</tbody>`;
}

function cells(cause: FindingCause, run: Run): Markup {
  const [{ finding, number }] = cause.findings;
  const statement = statementOfCause(cause, run);
  const extent = extentInWords(cause);
  const others = rulesOfCause(cause).slice(1);
  return markup`<td class="what" title="${statement}">${mark(finding.known ? 'known' : 'failed')} <span class="level">${finding.level}</span> <a href="#finding-${number}">${statement}</a>${others.length > 0 && markup` <span class="with">with ${others.join(', ')}</span>`}</td>
<td class="extent" title="${extent}">${cause.hides.length > 0 && markup`<b>hides ${plural(cause.hides.length, 'rule')}</b>; `}${extent}</td>`;
}

function rest(causes: readonly FindingCause[]): Markup | undefined {
  if (causes.length === 0) return undefined;
  const named = causes
    .slice(0, mostShown)
    .map(
      (each, index) =>
        markup`${index > 0 && ', '}<a href="#finding-${each.findings[0].number}">${rulesOfCause(each)[0]}</a>`,
    );
  const more = causes.length - named.length;
  return markup`<p class="remark">And ${plural(causes.length, 'more cause')}: ${named}${more > 0 && ` and ${more} more`}.</p>`;
}
