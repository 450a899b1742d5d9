import type { Run } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { exchangesPart, linkRows, showExchanges } from '../run/exchanges.ts';
import { embeddedRun, findingsPart, isWhole } from '../run/findings.ts';
import { mark } from '../run/marks.ts';
import { page } from '../run/page.ts';
import { matrixPart, observationsPart } from '../run/rules.ts';
import { termList } from '../run/table.ts';
import { runContents, verdictPart } from '../run/verdict.ts';
import { causeHeadline, findCauses, findLeading } from '../words/causes.ts';
import { headline, openingSentences } from '../words/headline.ts';
import { formatInstant, secondsBetween } from '../words/instant.ts';
import { type Markup, markup, type Part } from '../words/markup.ts';
import {
  describeTransients,
  formatCoverage,
  formatEntries,
  formatKeyQuota,
  formatRequests,
} from '../words/tally.ts';
import { levelMeanings, outcomeMeanings, outcomes, outcomeWords, verdictMeanings } from '../words/wording.ts';

/**
 * Renders the report of a run as one HTML file: no external request, every text of the target escaped, no script but one that copies texts. The
 * element with the id `run` holds the run as JSON, without examples if there are more findings than the page shows in
 * full. Shows the exchanges (by their index in the HAR) that findings name.
 */
export function renderHtml(run: Run, exchanges: readonly Exchange[] = []): string {
  const title = `${signs[run.verdict]} ${tabWords(run)}: ${run.target.name} · Candleproof`;
  const shown = showExchanges(run, exchanges);
  const row = linkRows(shown);
  const header = verdictPart(run, row);
  const main = markup`${findingsPart(run, exchanges, { row })}${matrixPart(run)}${observationsPart(run)}${exchangesPart(shown)}${methodPart(run)}`;
  return page({
    title,
    kind: 'conformance report',
    contents: runContents(run),
    header,
    main,
    embedded: { id: 'run', value: embeddedRun(run) },
    hasCopies: true,
    description: openingSentences(run).join(' '),
  });
}

/** Names the leading cause; without one, the verdict with what it leaves out. */
function tabWords(run: Run): string {
  const causes = findCauses(run);
  return findLeading(run, causes) ? causeHeadline(run, causes) : headline(run);
}

/** The verdict in a narrow tab. */
const signs = { conformant: '✓', nonconformant: '✕', inconclusive: '?' } as const;

/** Renders how the run was made, in enough detail to repeat it, and the meaning of its words. */
export function methodPart(
  run: Run,
  kept: Part = markup`${`The run, without the texts of its rules${isWhole(run) ? '' : ' and the examples of its findings'},`} is in this page as JSON, in the element <code>#run</code>.`,
): Markup {
  return markup`<section aria-labelledby="method-title"><details class="folded"><summary><h2 id="method-title">Method</h2> and the meaning of every word</summary><div id="method">
${termList('facts', listFacts(run))}
<h3>Verdicts</h3>${termList('meanings', Object.entries(verdictMeanings))}
<h3>Levels</h3>${termList('meanings', Object.entries(levelMeanings))}
<h3>Outcomes</h3>${outcomeTerms()}
<p>“Judged” counts the exchanges that a rule was put to. Exchange numbers are positions in <code>exchanges.har</code>, from 0; judging that file alone gives the same outcomes. Times are UTC. ${kept}</p></div></details></section>`;
}

/** Renders every outcome by its mark, with its meaning. */
export function outcomeTerms(): Markup {
  return termList(
    'meanings',
    outcomes.map((outcome) => [markup`${mark(outcome)} ${outcomeWords[outcome]}`, outcomeMeanings[outcome]]),
  );
}

function listFacts(run: Run) {
  const { target, seed, startedAt, finishedAt, entries, versions, label, commit } = run;
  const [transient, key] = [describeTransients(run), formatKeyQuota(run)];
  const lasted = secondsBetween(startedAt, finishedAt);
  const all: (readonly [name: string, value: Part])[] = [
    ['Target', markup`${target.name}, <code>${target.baseUrl}</code>`],
    ['Started', formatInstant(startedAt)],
    ['Finished', `${formatInstant(finishedAt)}${lasted === undefined ? '' : `, after ${lasted} s`}`],
    ['Label', label],
    ['Commit', commit !== undefined && markup`<code>${commit}</code>`],
    ['Requests', formatRequests(run)],
    ['Coverage', formatCoverage(run)],
    ['Entries', entries && formatEntries(entries)],
    ['Key', key],
    ['Transient failures', transient],
    ['Seed', markup`<code>${seed}</code>`],
    ['Candleproof', versions.candleproof],
    ['Catalogue', versions.catalogue],
    ['Spec (SHA-256)', markup`<code>${versions.specSha256}</code>`],
  ];
  return all.filter(([, value]) => value !== undefined && value !== false);
}
