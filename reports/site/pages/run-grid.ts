import type { Outcome } from '../../../contract/judge/verdict.ts';
import { mark, verdictOutcomes } from '../../run/marks.ts';
import { clip } from '../../words/escape.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { isBroken } from '../difference.ts';
import { findingAnchor, ruleAnchor, runPath } from '../paths.ts';
import type { RunRecord } from '../records.ts';
import type { Story } from '../story.ts';
import { breakInWords, mostCells, unlikeBefore, verdictLine } from './cells.ts';

export type GridRow = { readonly rule: string; readonly head: Markup; readonly story: Story };

const longestCaption = 160;

/** The parts that grids of the same runs share, drawn once: there is a grid for every rule. */
export type GridFrame = {
  readonly runs: readonly RunRecord[];
  readonly root: string;
  readonly head: Markup;
  /** Runs that were not made like the one before them. */
  readonly breaks: ReadonlySet<string>;
};

/** The last runs of a target, for pages from which `root` leads to the site's root. */
export function gridFrame({ target }: Story, root: string): GridFrame {
  const runs = target.runs.slice(-mostCells);
  const unlike = runs.map((_, at) => unlikeBefore(runs, at));
  return {
    ...{ runs, root },
    breaks: new Set(runs.filter((_, at) => (unlike[at] ?? []).length > 0).map(({ id }) => id)),
    head: markup`${runs.map((run, at) => dateHead(run, unlike[at] ?? [], target.slug, root))}`,
  };
}

/** Rows of outcomes below the dates of their runs; it scrolls in a separate region. */
export function runGrid(caption: string, frame: GridFrame, rows: readonly GridRow[]): Markup {
  const name = clip(caption, longestCaption);
  return markup`<div class="side newest" role="region" tabindex="0" aria-label="${name}, run by run"><table class="grid-table"><caption class="unseen">${name}</caption><thead><tr><td></td>${frame.head}</tr></thead>
<tbody>${rows.map((row) => markup`<tr><th scope="row">${row.head}</th>${frame.runs.map((run) => outcomeCell(row, run, frame))}</tr>`)}</tbody></table></div>`;
}

function dateHead(
  run: RunRecord,
  unlike: ReturnType<typeof unlikeBefore>,
  slug: string,
  root: string,
): Markup {
  const named = `${verdictLine(run)}${unlike.length > 0 ? `; ${breakInWords(unlike)}` : ''}`;
  return markup`<th scope="col"${unlike.length > 0 && markup` class="broken-off"`}><a class="date" href="${root}${runPath(slug, run.id)}" title="${named}">${run.startedAt.slice(5, 10)}</a>${mark(verdictOutcomes[run.verdict])}</th>`;
}

/** Renders one outcome: a failure links to its finding, any other to the rule's row in the run. */
function outcomeCell({ rule, story }: GridRow, run: RunRecord, { breaks, root }: GridFrame): Markup {
  const outcome = story.outcomes.get(run.id)?.get(rule)?.outcome;
  const edge = breaks.has(run.id) && markup` class="broken-off"`;
  if (!outcome) return markup`<td${edge}><span class="unseen">not in its edition</span>`;
  const at = `${root}${runPath(story.target.slug, run.id)}#${encodeURI(outcomeAnchor(run, rule, outcome))}`;
  return markup`<td${edge}><a class="cell" href="${at}" title="${run.startedAt.slice(0, 10)}: ${outcome}">${mark(outcome)}</a>`;
}

function outcomeAnchor({ findings }: RunRecord, rule: string, outcome: Outcome): string {
  const finding = isBroken(outcome) ? findings.find((finding) => finding.rule === rule) : undefined;
  return finding ? findingAnchor(finding.fingerprint) : ruleAnchor(rule);
}
