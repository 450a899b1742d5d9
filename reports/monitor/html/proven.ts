import type { Outcome } from '../../../contract/judge/verdict.ts';
import { leastWatched } from '../../../planning/confidence.ts';
import { mark } from '../../run/marks.ts';
import { section } from '../../run/table.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { countObjectives, type MonitorSummary } from '../view.ts';
import { objectiveWords, watchedText } from '../wording.ts';
import { ninesCharts } from './nines.ts';

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

/** Returns the verdict on all objectives: an unproven figure does not meet a promise. */
function monitorVerdict(view: MonitorSummary): Verdict {
  const { met, missed, undecided } = countObjectives(view);
  const all = met + missed + undecided;
  if (all === 0) return { outcome: 'inconclusive', title: 'No objectives to judge', sentence: '' };
  const rest = [
    met > 0 && `${met} met`,
    missed > 0 && `${missed} missed`,
    undecided > 0 && `${undecided} ${objectiveWords.undecided}`,
  ].filter((part) => part !== false);
  const sentence = `Of ${plural(all, 'objective')}: ${rest.join(', ')}.`;
  if (missed > 0) return { outcome: 'failed', title: missedTitle(view), sentence };
  if (undecided === 0) return { outcome: 'passed', title: 'Every objective met', sentence };
  const isEarly = view.watches
    .flatMap((watch) => watch.judgements)
    .every(({ looked }) => looked < leastWatched);
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
