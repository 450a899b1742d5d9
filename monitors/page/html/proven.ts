import type { Outcome } from '@candleproof/law/judge/verdict';
import { minWatchedShare } from '@candleproof/law/planning/confidence';
import { formatPercent } from '@candleproof/law/reading/words';
import { mark } from '@candleproof/reports/run/marks';
import { region, section } from '@candleproof/reports/run/table';
import { clip } from '@candleproof/reports/words/escape';
import { intervalText, plural } from '@candleproof/reports/words/format';
import { type Markup, markup, unit } from '@candleproof/reports/words/markup';
import type { ReportedObjective } from '../plan-facts.ts';
import type { MonitorSummary, WatchSummary } from '../view.ts';
import { watchName } from '../watches.ts';
import { objectiveText, objectiveWords, watchedText } from '../wording.ts';

/** Renders whether the promises were met, and how sure that is. */
export function provenPart(view: MonitorSummary): Markup {
  const { outcome, title, sentence } = monitorVerdict(view);
  return section(
    'proven',
    'How sure are these figures?',
    markup`<p>${mark(outcome)} <b>${title}.</b> ${sentence} Basis: ${watchedText(view.watches.flatMap(({ watched }) => watched ?? []).toSorted((a, b) => b.share - a.share)[0])}.</p>
${ninesCharts(view)}`,
  );
}

type Verdict = { readonly outcome: Outcome; readonly title: string; readonly sentence: string };

/** Returns the verdict on all objectives in words: an unproven figure does not meet a promise. */
export function monitorVerdict(view: MonitorSummary): Verdict {
  const all = view.watches.flatMap((watch) => watch.judgements);
  if (all.length === 0) return { outcome: 'inconclusive', title: 'No objectives to judge', sentence: '' };
  const counts = { met: 0, missed: 0, undecided: 0 };
  for (const { standing } of all) counts[standing] += 1;
  const words = (['met', 'missed', 'undecided'] as const).flatMap((state) =>
    counts[state] > 0 ? [`${counts[state]} ${objectiveWords[state]}`] : [],
  );
  const sentence = `Of ${plural(all.length, 'objective')}: ${words.join(', ')}.`;
  if (counts.missed > 0) return { outcome: 'failed', title: missedTitle(view), sentence };
  if (counts.undecided === 0) return { outcome: 'passed', title: 'Every objective met', sentence };
  const isEarly = all.every(({ looked }) => looked < minWatchedShare);
  const title = isEarly ? 'Too little was watched for a verdict' : 'None missed, not all proven';
  return { outcome: 'inconclusive', title, sentence };
}

function missedTitle({ watches }: MonitorSummary): string {
  const targets = watches
    .filter(({ judgements }) => judgements.some(({ standing }) => standing === 'missed'))
    .map(({ watch }) => watch.target);
  const names = [...new Set(targets)];
  return names.length > 2 ? `Missed at ${names.length} targets` : `Missed at ${names.join(' and ')}`;
}

const longestName = 18;

const [left, right, row] = [130, 306, 19];

/** The nines of a share at both ends of the scale: 68 % and 99.97 %. */
const [least, most] = [0.5, 3.5];

function x(share: number): number {
  const nines = Math.min(most, Math.max(least, -Math.log10(Math.max(1e-9, 1 - share))));
  return left + ((nines - least) / (most - least)) * (right - left);
}

/** Draws the interval of every share against its objective, a chart for each objective, on a scale that counts nines. */
function ninesCharts({ watches, plan }: MonitorSummary): Markup | undefined {
  const charts = plan.objectives.map((objective, index) => chart(objective, index, watches));
  if (charts.length === 0 || watches.length === 0) return undefined;
  return markup`<div class="nines">${charts}</div><p class="lead">Lines are 95 % intervals over the judged days, dots the measured shares; shaded is what meets the objective. The scale counts nines: 90, 99 and 99.9 % are equally far apart.</p>`;
}

function chart(objective: ReportedObjective, index: number, watches: readonly WatchSummary[]): Markup {
  const foot = watches.length * row;
  const aim = unit(x(objective.objective));
  const name = objectiveText(objective);
  const ticks = [0.9, 0.99, 0.999].map(
    (share) =>
      markup`<path class="grid" d="M${unit(x(share))} 0V${foot}"/><text class="tick" text-anchor="middle" x="${unit(x(share))}" y="${foot + 13}">${formatPercent(share)}</text>`,
  );
  const svg = markup`<svg class="chart" viewBox="0 0 ${right + 14} ${foot + 18}" role="img" aria-labelledby="nines-${index + 1}"><title id="nines-${index + 1}">Intervals against ${name}</title><rect class="aim" x="${aim}" y="0" width="${unit(right - Number(aim))}" height="${foot}"/>${ticks}${watches.map((watch, at) => interval(watch, objective, at))}</svg>`;
  return markup`<figure class="wide"><figcaption>${name}</figcaption>${region(`Intervals against ${name}`, svg)}</figure>`;
}

function interval({ watch, judgements }: WatchSummary, objective: ReportedObjective, at: number): Markup {
  const y = at * row + row / 2;
  const label = markup`<text class="tick" x="0" y="${unit(y + 3.5)}">${clip(watchName(watch), longestName)}</text>`;
  const judged = judgements.find((one) => one.objective === objective);
  if (!judged?.measured)
    return markup`${label}<text class="tick" x="${left}" y="${unit(y + 3.5)}">not measured</text>`;
  const { share, interval: range } = judged.measured;
  return markup`${label}<g class="${judged.standing}"><title>${watchName(watch)}: ${formatPercent(share)}, ${intervalText(range)}: ${objectiveWords[judged.standing]}</title><path d="M${unit(x(range.low))} ${unit(y)}H${unit(x(range.high))}"/><circle cx="${unit(x(share))}" cy="${unit(y)}" r="3.4"/></g>`;
}

export const ninesStyles = `
.nines { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 var(--s5); } .nines figure.wide svg { min-width: 17.9rem; } .nines figcaption { color: var(--ink); font-weight: 600; }
.nines .aim { fill: var(--pass-wash); } .nines g { stroke-width: 2; } .nines .met { stroke: var(--pass); fill: var(--pass); } .nines .missed { stroke: var(--fail); fill: var(--fail); } .nines .undecided { stroke: var(--warn); fill: var(--sheet); }
@media (max-width: 34rem) { .nines figure.wide { display: grid; margin: 0; } .nines figcaption { margin: 0; font-size: var(--sm); } .nines figure .scroll { padding: 0; border: 0; background: none; } .nines ~ .lead { font-size: var(--xs); } main > section { margin-top: var(--s5); } #watches .wide tr { padding: var(--s1) var(--s3); } #watches .wide tbody td.amount { padding: 1px 0; } }
`;
