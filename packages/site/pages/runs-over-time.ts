import type { Outcome } from '@candleproof/law/judge/verdict';
import { mark } from '@candleproof/reports/run/marks';
import { clip } from '@candleproof/reports/words/escape';
import { plural } from '@candleproof/reports/words/format';
import { type Markup, markup, unit } from '@candleproof/reports/words/markup';
import { formatShare, verdictOutcome } from '@candleproof/reports/words/tally';
import { outcomeWords, verdictWords } from '@candleproof/reports/words/wording';
import { compareMaking, isBroken, type Unlike } from '../difference.ts';
import { findingAnchor, ruleAnchor, runPath } from '../paths.ts';
import type { RunRecord } from '../records.ts';
import type { Story } from '../story.ts';

export type GridRow = { readonly rule: string; readonly head: Markup; readonly story: Story };

const longestCaption = 160;

/** The parts that grids of the same runs share, rendered once: there is a grid for every rule. */
export type GridFrame = ReturnType<typeof gridFrame>;

/** Returns the last runs of a target, and its days up to `now`, for pages from which `root` leads to the site's root. */
export function gridFrame(story: Story, root: string, now: string) {
  const { target } = story;
  const runs = target.runs.slice(-maxCells);
  const unlike = runs.map((_, at) => unlikeBefore(runs, at));
  return {
    ...{ runs, root, days: groupByDay(story, now) },
    /** Runs made under other conditions than the run before. */
    breaks: new Set(runs.filter((_, at) => (unlike[at] ?? []).length > 0).map(({ id }) => id)),
    head: markup`${runs.map((run, at) => dateHead(run, unlike[at] ?? [], target.slug, root))}`,
  };
}

/** Renders rows of outcomes below the dates of their runs, scrollable in a separate region. */
export function runGrid(caption: string, frame: GridFrame, rows: readonly GridRow[]): Markup {
  const name = clip(caption, longestCaption);
  return markup`<div class="side newest" role="region" tabindex="0" aria-label="${name}, run by run"><table class="grid-table"><caption class="visually-hidden">${name}</caption><thead><tr><td></td>${frame.head}</tr></thead>
<tbody>${rows.map((row) => markup`<tr><th scope="row">${row.head}</th>${frame.runs.map((run) => outcomeCell(row, run, frame))}</tr>`)}</tbody></table></div>`;
}

function dateHead(
  run: RunRecord,
  unlike: ReturnType<typeof unlikeBefore>,
  slug: string,
  root: string,
): Markup {
  const named = `${verdictLine(run)}${unlike.length > 0 ? `; ${breakInWords(unlike)}` : ''}`;
  return markup`<th scope="col"${unlike.length > 0 && markup` class="broken-off"`}><a class="date" href="${root}${runPath(slug, run.id)}" title="${named}">${run.startedAt.slice(5, 10)}</a>${mark(verdictOutcome(run.verdict, run.musts))}</th>`;
}

/** Renders one outcome: a failure links to its finding, any other to the rule's row in the run. */
function outcomeCell({ rule, story }: GridRow, run: RunRecord, { breaks, root }: GridFrame): Markup {
  const outcome = story.outcomes.get(run.id)?.get(rule)?.outcome;
  const edge = breaks.has(run.id) && markup` class="broken-off"`;
  if (!outcome) return markup`<td${edge}><span class="visually-hidden">not among its rules</span>`;
  const at = `${root}${runPath(story.target.slug, run.id)}#${encodeURI(outcomeAnchor(run, rule, outcome))}`;
  return markup`<td${edge}><a class="cell" href="${at}" title="${run.startedAt.slice(0, 10)}: ${outcomeWords[outcome]}">${mark(outcome)}</a>`;
}

/** Returns the anchor of an outcome in the page of its run: of its finding for a failure, else of the rule. */
export function outcomeAnchor(
  { findings }: Pick<RunRecord, 'findings'>,
  rule: string,
  outcome: Outcome,
): string {
  const finding = isBroken(outcome) ? findings.find((finding) => finding.rule === rule) : undefined;
  return finding ? findingAnchor(finding.fingerprint) : ruleAnchor(rule);
}

/** Days on the axis that every strip of a site shares. */
const axisDays = 30;
const day = 86400000;

/** Runs of a target by their day (YYYY-MM-DD, UTC), for the days of the axis. */
export type DayRuns = ReadonlyMap<string, readonly RunRecord[]>;

/** Groups the runs of a target by the days up to `now` (ISO 8601); a day without a run has none. */
export function groupByDay({ target }: Story, now: string): DayRuns {
  const runs = Map.groupBy(target.runs, ({ startedAt }) => startedAt.slice(0, 10));
  const last = Date.parse(now.slice(0, 10));
  const axis = Array.from({ length: axisDays }, (_, index) => last - (axisDays - 1 - index) * day);
  return new Map(
    axis.map((at) => {
      const name = new Date(at).toISOString().slice(0, 10);
      return [name, runs.get(name) ?? []];
    }),
  );
}

/** Worst first; an unjudged day is shown as a day without a run. */
const ranked: readonly Outcome[] = ['failed', 'known', 'surprised', 'inconclusive', 'passed'];
const [pitch, width, height] = [6, 4.6, 26];
/** Units below the bars for their first and last day. */
const foot = 14;
/** Tops of a bar: outcomes differ by height as well as by color. */
const tops: Readonly<Record<Outcome, number>> = {
  ...{ failed: 0, known: 0, surprised: 6, inconclusive: 14, passed: 6, unexercised: 6 },
};
type OutcomeOf = (run: RunRecord) => Outcome | undefined;

/** Renders a bar for each day with its worst outcome, named on hover; a day without one is dashed. */
export function dayStrip(days: DayRuns, outcomeOf: OutcomeOf, name: string): Markup {
  return dayBars(
    [...days].map(([date, runs]) => ({ date, worst: worstOutcome(runs, outcomeOf) })),
    name,
  );
}

/** A day (YYYY-MM-DD, UTC) and its outcome; none if nothing was judged. */
export type JudgedDay = { readonly date: string; readonly worst: Outcome | undefined };

/** Renders a bar for each of at most 31 days, which fills its column. */
export function dayBars(days: readonly JudgedDay[], name: string): Markup {
  const bars = days.map(({ date, worst }, index) =>
    worst === undefined
      ? markup`<path class="none" d="M${unit(index * pitch + width / 2)} ${height}V${tops.unexercised}"/>`
      : markup`<path class="${worst}" d="M${unit(index * pitch)} ${height}h${width}V${tops[worst]}h${-width}z"><title>${date}: ${outcomeWords[worst]}</title></path>`,
  );
  const counts = [...Map.groupBy(days, ({ worst }) => (worst ? outcomeWords[worst] : 'not judged'))];
  const [first = '', last = ''] = [days[0]?.date, days.at(-1)?.date];
  const all = days.length * pitch;
  return markup`<svg class="day-strip" viewBox="0 0 ${all} ${height + foot}" role="img" aria-label="${name}, ${first} to ${last}: ${counts.map(([outcome, some]) => `${some.length} ${outcome}`).join(', ')}">${bars}<text x="0" y="${height + foot - 2}">${first.slice(5)}</text><text x="${all - 1}" y="${height + foot - 2}" text-anchor="end">${last.slice(5)}</text></svg>`;
}

function worstOutcome(runs: readonly RunRecord[], outcomeOf: OutcomeOf): Outcome | undefined {
  const found = new Set(runs.map(outcomeOf));
  return ranked.find((outcome) => found.has(outcome));
}

const longestLabel = 60;
export const maxCells = 30;

/** `Nonconformant, 61 of 62 judged, 3 findings`. */
function verdictLine({ verdict, findings, musts }: RunRecord): string {
  return `${verdictWords[verdict]}, ${formatShare(musts)}${findings.length > 0 ? `, ${plural(findings.length, 'finding')}` : ''}`;
}

/** `Nonconformant, 61 of 62 judged, 3 findings, release 2.1, 9f2c1ab`: with the label and commit of the run. */
export function namedLine(run: RunRecord): string {
  const names = [run.label && clip(run.label, longestLabel), run.commit?.slice(0, 12)];
  return [verdictLine(run), ...names.filter((name) => name)].join(', ');
}

/** Renders a run as a mark that links to its page. */
function runCell(run: RunRecord, target: string, root: string): Markup {
  const name = `${run.startedAt.slice(0, 10)}: ${namedLine(run)}`;
  return markup`<a class="cell" href="${root}${runPath(target, run.id)}" title="${name}">${mark(verdictOutcome(run.verdict, run.musts))}</a>`;
}

/** Renders runs in a row, with a line before each that was made under other conditions than the one before it. */
export function runRow(runs: readonly RunRecord[], target: string, root: string): Markup {
  return markup`<ol class="cells">${runs.map((run, at) => {
    const unlike = unlikeBefore(runs, at);
    return markup`<li${unlike.length > 0 && markup` class="break"`}>${unlike.length > 0 && markup`<span class="visually-hidden">${breakInWords(unlike)}</span>`}${runCell(run, target, root)}</li>`;
  })}</ol>`;
}

/** Lists the conditions in which the run at `index` differs from the one before it. */
export function unlikeBefore(runs: readonly RunRecord[], index: number): Unlike[] {
  const [a, b] = [runs[index - 1], runs[index]];
  return a && b ? compareMaking(a, b) : [];
}

/** `rules: 1f2e… → 3c4d…; spec 9f2c… → 03ab…`. */
export function breakInWords(unlike: readonly Unlike[]): string {
  return unlike.map(({ what, before, after }) => `${what}: ${before} → ${after}`).join('; ');
}
