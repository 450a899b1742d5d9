import type { Outcome, RuleResult } from '@candleproof/law/judge/verdict';
import { thousands } from '@candleproof/law/reading/words';
import { mark } from '@candleproof/reports/run/marks';
import { sumExtent } from '@candleproof/reports/words/causes';
import { clip } from '@candleproof/reports/words/escape';
import { plural } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { verdictOutcome } from '@candleproof/reports/words/tally';
import { outcomeWords } from '@candleproof/reports/words/wording';
import { isBroken } from '../difference.ts';
import { runPath } from '../paths.ts';
import { compareTexts } from '../records.ts';
import type { RuleRecord, SiteRecords } from '../site-records.ts';
import { findChange, type Story, verdictNow } from '../story.ts';
import type { Side } from './difference-part.ts';
import { dayStrip, groupByDay, outcomeAnchor } from './runs-over-time.ts';
import { renderDate, ruleHead } from './site-page.ts';
import { newsLink, troubleLine } from './story-words.ts';

export type MatrixFilter = 'failing' | 'changed' | 'all';

/** A target as a column of the matrix: its story, and the newest conclusive run. */
export type MatrixColumn = { readonly story: Story; readonly side?: Side };

const longestName = 60;
const recent = 7 * 86_400_000;

/** Lists the rules of a matrix: musts before shoulds, the rules that fail at most targets first. */
export function listRules({ rules, stories, now }: SiteRecords, filter: MatrixFilter): RuleRecord[] {
  const changed = new Set(stories.flatMap((story) => recentChanges(story, Date.parse(now))));
  const failing = (rule: RuleRecord): number =>
    stories.filter((story) => isBroken(outcomeNow(story, rule.id))).length;
  return rules
    .filter(({ level }) => level !== 'observe')
    .filter((rule) => (filter === 'failing' ? failing(rule) > 0 : filter === 'all' || changed.has(rule.id)))
    .toSorted(
      (a, b) =>
        Number(a.level !== 'must') - Number(b.level !== 'must') ||
        failing(b) - failing(a) ||
        compareTexts(a.id, b.id),
    );
}

function recentChanges({ target, outcomes }: Story, now: number): string[] {
  return target.runs
    .filter(({ startedAt, verdict }) => verdict !== 'inconclusive' && now - Date.parse(startedAt) < recent)
    .flatMap((run) => {
      const { failing = [], mended = [], unjudged = [] } = findChange(run, outcomes) ?? {};
      return [...failing, ...mended, ...unjudged].map(({ id }) => id);
    });
}

function outcomeNow({ judged, outcomes }: Story, rule: string): Outcome | undefined {
  return outcomes.get(judged?.id ?? '')?.get(rule)?.outcome;
}

/**
 * Renders targets as columns; the first rows show passed musts, the last run and each day, the others the rules of the
 * filter.
 */
export function matrix(
  columns: readonly MatrixColumn[],
  rules: readonly RuleRecord[],
  records: SiteRecords,
  root: string,
): Markup {
  const row = (head: Markup | string, cell: (column: MatrixColumn) => Markup | undefined): Markup =>
    markup`<tr><th scope="row">${head}</th>${columns.map((column) => markup`<td>${cell(column)}</td>`)}</tr>`;
  const trouble = columns.some(({ story }) => troubleLine(story, root));
  return markup`<div class="side" role="region" tabindex="0" aria-label="Rules and targets"><table class="matrix"><caption class="visually-hidden">Rules and targets</caption>
<thead><tr><td></td>${columns.map(({ story }) => columnHead(story, root))}</tr></thead>
<tbody>${row('Musts that hold, of those judged', ({ story }) => heldCell(story, root))}
${row('Last run', ({ story }) => markup`<a href="${root}${runPath(story.target.slug, story.latest.id)}">${renderDate(story.latest.startedAt)}</a>`)}
${row('Day by day', ({ story }) => dayStrip(groupByDay(story, records.now), ({ verdict, musts }) => verdictOutcome(verdict, musts), clip(story.target.name, longestName)))}
${row('Verdict since', ({ story }) => story.since && markup`<a href="${root}${runPath(story.target.slug, story.since.id)}">${story.since.startedAt.slice(0, 10)}</a>`)}
${row('Newest change', ({ story }) => newsLink(story, root) ?? markup`<span class="open">none since the first run</span>`)}${trouble && row('No verdict', ({ story }) => troubleLine(story, root))}</tbody>
<tbody>${rules.map((rule) => row(markup`${ruleHead(rule, root)}<small>${clip(rule.statement, 160)}</small>`, (column) => ruleCell(rule.id, column, root)))}</tbody></table></div>`;
}

function columnHead(story: Story, root: string): Markup {
  const { slug, name } = story.target;
  const cause = verdictNow(story) === 'nonconformant' ? story.judged?.cause : undefined;
  return markup`<th scope="col">${mark(verdictOutcome(verdictNow(story), (story.judged ?? story.latest).musts))} <a href="${root}t/${slug}/">${clip(name, longestName)}</a>${cause !== undefined && markup`<small>${cause}</small>`}</th>`;
}

function heldCell({ judged, target }: Story, root: string): Markup | undefined {
  if (!judged) return markup`<span class="open">not judged yet</span>`;
  const { of, failed, known, judged: decided } = judged.musts;
  const broken = failed + known;
  return markup`<a${broken > 0 && markup` class="wrong"`} href="${root}${runPath(target.slug, judged.id)}">${decided - broken} of ${decided}</a>${decided < of && markup` <small>${of - decided} of ${of} not judged</small>`}${known > 0 && markup` <small>${plural(known, 'known failing')}</small>`}`;
}

/** Renders a rule's outcome in the newest judged run: a failure links to its finding, any other to its row. */
function ruleCell(rule: string, { story, side }: MatrixColumn, root: string): Markup {
  const { judged, target } = story;
  const outcome = outcomeNow(story, rule);
  if (!judged || !side || !outcome) return markup`<span class="open">not among its rules</span>`;
  const ruleFindings = side.run.findings.filter((finding) => finding.rule === rule);
  const anchor = outcomeAnchor(side.run, rule, outcome);
  const result = side.run.rules.find(({ id }) => id === rule);
  return markup`<a class="${isBroken(outcome) ? 'wrong' : outcome === 'passed' ? 'right' : 'open'}" href="${root}${runPath(target.slug, judged.id)}#${encodeURI(anchor)}">${mark(outcome)} ${outcomeText(outcome, isBroken(outcome) && ruleFindings.length > 0 ? sumExtent(ruleFindings) : undefined, result)}</a>`;
}

function outcomeText(outcome: Outcome, extent: string | undefined, result: RuleResult | undefined): Markup {
  if (outcome === 'unexercised') return markup`not judged`;
  const count = extent ?? (outcome === 'passed' && result ? thousands(result.evidence) : undefined);
  return count === undefined
    ? markup`${outcomeWords[outcome]}`
    : markup`<span class="visually-hidden">${outcomeWords[outcome]}: </span>${count}`;
}
