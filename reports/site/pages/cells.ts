import { mark, verdictOutcomes } from '../../run/marks.ts';
import { clip } from '../../words/escape.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { verdictWords } from '../../words/wording.ts';
import { compareMaking, type Unlike } from '../difference.ts';
import { runPath } from '../paths.ts';
import type { RunRecord } from '../records.ts';

const longestLabel = 60;

/** Most runs in a row. */
export const mostCells = 30;

/** `Nonconformant, 3 findings`. */
export function verdictLine({ verdict, findings }: RunRecord): string {
  return `${verdictWords[verdict]}${findings.length > 0 ? `, ${plural(findings.length, 'finding')}` : ''}`;
}

/** `Nonconformant, 3 findings, release 2.1, 9f2c1ab`: with the names that the run was given. */
export function namedLine(run: RunRecord): string {
  const names = [run.label && clip(run.label, longestLabel), run.commit?.slice(0, 12)];
  return [verdictLine(run), ...names.filter((name) => name)].join(', ');
}

/** A run as a mark that leads to its page. */
export function runCell(run: RunRecord, target: string, root: string): Markup {
  const name = `${run.startedAt.slice(0, 10)}: ${namedLine(run)}`;
  return markup`<a class="cell" href="${root}${runPath(target, run.id)}" title="${name}">${mark(verdictOutcomes[run.verdict])}</a>`;
}

/** Runs in a row, with a line before each that was not made like the one before it. */
export function runRow(runs: readonly RunRecord[], target: string, root: string): Markup {
  return markup`<ol class="cells">${runs.map((run, at) => {
    const unlike = unlikeBefore(runs, at);
    return markup`<li${unlike.length > 0 && markup` class="break"`}>${unlike.length > 0 && markup`<span class="unseen">${breakInWords(unlike)}</span>`}${runCell(run, target, root)}</li>`;
  })}</ol>`;
}

/** Lists the conditions in which the run at `index` differs from the one before it. */
export function unlikeBefore(runs: readonly RunRecord[], index: number): Unlike[] {
  const [a, b] = [runs[index - 1], runs[index]];
  return a && b ? compareMaking(a, b) : [];
}

/** `edition of the rules 1 → 2, spec 9f2c… → 03ab…`. */
export function breakInWords(unlike: readonly Unlike[]): string {
  return unlike.map(({ what, before, after }) => `${what}: ${before} → ${after}`).join('; ');
}
