import type { KillMatrix } from '@candleproof/reports/kill-matrix/facts';
import { mark } from '@candleproof/reports/run/marks';
import { outcomeTerms } from '@candleproof/reports/run/run-parts';
import { termList } from '@candleproof/reports/run/table';
import { clip } from '@candleproof/reports/words/escape';
import { joinParts, type Markup, markup } from '@candleproof/reports/words/markup';
import { groupBySection } from '@candleproof/reports/words/tally';
import { levelMeanings, sectionName, verdictMeanings } from '@candleproof/reports/words/wording';
import { isBroken } from '../difference.ts';
import { faultsPath, ruleAnchor } from '../paths.ts';
import { findProof, type RuleRecord, type SiteFile, type SiteRecords } from '../site-records.ts';
import type { Side } from './difference-part.ts';
import { plainHead, sitePage } from './site-page.ts';

/** Returns the page that explains the site's words, and the limits of its figures. */
export function methodFile(): SiteFile {
  return sitePage({
    path: 'method/',
    title: 'Method',
    json: 'api/schema.json',
    header: plainHead('Candleproof', 'Method', ['What is measured, what is not, and what the words mean.']),
    main: markup`<section aria-labelledby="reading"><h2 id="reading">How to read this site</h2><ul class="change-list">${reading.map((item) => markup`<li>${item}</li>`)}</ul></section>
<section aria-labelledby="words"><h2 id="words">Words</h2><h3>Verdicts</h3>${termList('meanings', Object.entries(verdictMeanings))}<h3>Levels</h3>${termList('meanings', Object.entries(levelMeanings))}
<h3>Outcomes</h3>${outcomeTerms()}</section>`,
  });
}

const reading = [
  'A run is judged by the document, and by nothing that another target does. Targets are not ranked: they are listed one by one.',
  'A run that came to no verdict decides nothing: if it is the newest, the target is shown neither green nor red for it, and what it left unjudged is neither broken nor fixed.',
  'Fixed means: failed in one run, and judged and found right in a later one. What was not judged again is not fixed.',
  'A run is compared with the last one before it that came to a verdict. Where rules, spec, plan or version differ, a line stands before it, and the difference may be due to that.',
  'A run’s page and its address never change: the address is made of the content. Times are UTC.',
  'Exchanges that findings refer to are kept as they were received, with keys replaced by markers before they were ever written.',
  'Every page names its JSON at its foot; api/schema.json describes it.',
];

/** Reads a run that the site has published again, by the target's slug and the run's id. */
export type ReadSide = (slug: string, id: string) => Side;

/**
 * Returns the rules, each under one section. Targets with documents of their own place a rule under their own headings: if
 * `candle/low-is-lowest` is in `2.2` at one and in `Candles` at another, its section here is its group, `candle`.
 */
function shareSections({ rules, stories }: SiteRecords, read: ReadSide): RuleRecord[] {
  const sections = new Map<string, Set<string>>();
  for (const { target, judged, latest } of stories)
    for (const { id, section } of read(target.slug, (judged ?? latest).id).run.rules)
      sections.set(id, (sections.get(id) ?? new Set()).add(section));
  return rules.map((rule) => {
    const [group = ''] = rule.id.split('/');
    return (sections.get(rule.id)?.size ?? 0) > 1 ? { ...rule, section: group } : rule;
  });
}

/** Renders all rules by section, each with its reason, the targets that fail it, and the faults that prove it. */
export function rulesFile(records: SiteRecords, read: ReadSide): SiteFile {
  const groups = groupBySection(shareSections(records, read));
  const [newest] = records.matrices;
  // A matrix of the same catalogue that played all faults proves more than a newer one that played a few.
  const matrix = newest && findProof(records, newest.matrix.versions.catalogue)?.matrix;
  return sitePage({
    path: 'rules/',
    title: 'Rules',
    json: 'api/rules.json',
    header: plainHead('Candleproof', 'Rules', [
      'What every run was judged by, section by section of the document.',
    ]),
    main: markup`${groups.map(([section, rules], at) => markup`<section aria-labelledby="s${at}"><h2 id="s${at}">${sectionName(section)}</h2><ul class="change-list">${rules.map((rule) => ruleLine(rule, records, matrix))}</ul></section>`)}`,
  });
}

/**
 * Characters of a text, a rule's id and a target's name. Those of our rules are shorter; published runs may come from anyone,
 * with texts of any length.
 */
const [longestText, longestId, longestName] = [1000, 120, 80];

function ruleLine(
  { id, level, statement, why }: RuleRecord,
  { stories }: SiteRecords,
  matrix: KillMatrix | undefined,
): Markup {
  const failing = stories.filter(({ judged, outcomes }) => {
    return isBroken(outcomes.get(judged?.id ?? '')?.get(id)?.outcome);
  });
  const proofs = matrix?.kills.filter(({ foundBy }) => foundBy.some((witness) => witness.id === id)) ?? [];
  return markup`<li id="${ruleAnchor(id)}">${failing.length > 0 && mark('failed')} <b>${level}</b> ${clip(statement, longestText)} <span class="why">${clip(why, longestText)}</span> <code>${clip(id, longestId)}</code>${failing.length > 0 && markup` fails at ${joinParts(failing.map(({ target }) => markup`<a href="../t/${target.slug}/">${clip(target.name, longestName)}</a>`))}`}${matrix && proofs.length > 0 && markup` <span class="reason">proven by ${joinParts(proofs.map(({ number }) => markup`<a href="../${faultsPath(matrix.versions.catalogue)}#${number}">${number}</a>`))}</span>`}</li>`;
}
