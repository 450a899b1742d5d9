import type { Run } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { formatInstant, secondsBetween } from '../words/format.ts';
import { openingSentences } from '../words/headline.ts';
import { type Markup, markup, type Part } from '../words/markup.ts';
import {
  describeTransients,
  formatCoverage,
  formatEntries,
  formatKeyQuota,
  formatRequests,
} from '../words/tally.ts';
import { levelMeanings, outcomeMeanings, outcomes, outcomeWords, verdictMeanings } from '../words/wording.ts';
import type { FindingLinks } from './finding.ts';
import { findingsPart, isWhole } from './findings.ts';
import { mark } from './marks.ts';
import type { RunPage } from './page.ts';
import type { RowLink } from './picture.ts';
import { matrixPart, observationsPart, type RuleLinks } from './rules.ts';
import { termList } from './table.ts';
import { verdictPart } from './verdict.ts';

/** Links from the parts of a run: to rows of exchanges and, where they have them, permanent addresses of findings and rules. */
type RunLinks = {
  readonly row: RowLink;
  readonly finding?: FindingLinks;
  readonly rule?: RuleLinks;
};

/** Parts in which pages of one run differ: the exchanges at hand, those that the page shows, and where the whole run is. */
type RunPlace = {
  readonly exchanges?: readonly Exchange[];
  readonly shown?: Markup | undefined;
  readonly kept?: Part;
};

/** Renders the parts of which every page about a run is made: what it is in a sentence or two, its head, and all below. */
export function runParts(
  run: Run,
  { row, finding, rule }: RunLinks,
  { exchanges, shown, kept }: RunPlace,
): Pick<RunPage, 'header' | 'main'> & { readonly description: string } {
  return {
    description: openingSentences(run).join(' '),
    header: verdictPart(run, row),
    main: markup`${findingsPart(run, exchanges, { row, page: finding })}${matrixPart(run, rule)}${observationsPart(run)}${shown}${methodPart(run, kept)}`,
  };
}

/** Renders how the run was made, in enough detail to repeat it, and the meaning of its words. */
function methodPart(
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
