import type { Outcome } from '../../../contract/verdict.ts';
import { leastWatched } from '../../../planning/confidence.ts';
import { mark } from '../../html/marks.ts';
import { type Markup, markup } from '../../markup.ts';
import { plural } from '../../tally.ts';
import { instantText, percentText } from '../format.ts';
import { countStandings, type MonitorView } from '../view.ts';
import type { WatchView } from '../watch-view.ts';
import { watchName } from '../watches.ts';
import { objectiveText, standingWords, watchedText } from '../wording.ts';
import { standingMark } from './pieces.ts';
import { warnings } from './warnings.ts';

type Verdict = {
  readonly look: string;
  readonly mark: Outcome;
  readonly title: string;
  readonly sentence: string;
};

/** Was what was promised kept, where, and how much of it was looked at. */
export function headerPart(view: MonitorView): Markup {
  const verdict = verdictOf(view);
  const { now, watches } = view;
  return markup`<header class="page-head">
<div class="banner ${verdict.look}">${mark(verdict.mark)}
<div><p class="brand">Candleproof monitor report</p>
<h1>${verdict.title}</h1>
<p class="sentence">${verdict.sentence}</p>
<p class="target"><span>${sentenceCase(watchedText(longest(watches)))}, to <time datetime="${new Date(now).toISOString()}">${instantText(now)} UTC</time></span></p>${warnings(view)}
</div></div>
<div class="tiles">${watches.map(tile)}</div>
${contents(view)}
</header>`;
}

/** In words first: a figure nobody can prove is no promise kept. */
export function verdictOf(view: MonitorView): Verdict {
  const { met, missed, untold } = countStandings(view);
  const all = met + missed + untold;
  if (all === 0) {
    const sentence =
      view.watches.length === 0 ? 'The store holds no probes yet.' : 'What was measured stands below.';
    return { look: 'inconclusive', mark: 'inconclusive', title: 'No objectives to judge', sentence };
  }
  const rest = [
    met > 0 && `${met} met`,
    missed > 0 && `${missed} missed`,
    untold > 0 && `${untold} with ${standingWords.untold}`,
  ].filter((each) => each !== false);
  const sentence = `Of ${plural(all, 'objective')}: ${rest.join(', ')}.`;
  if (missed > 0) return { look: 'nonconformant', mark: 'failed', title: missedTitle(view), sentence };
  const isEarly = view.watches
    .flatMap((each) => each.judgements)
    .every(({ looked }) => looked < leastWatched);
  const title = isEarly ? 'Too little was watched for a verdict' : 'None missed, not all proven';
  return untold > 0
    ? { look: 'inconclusive', mark: 'inconclusive', title, sentence }
    : { look: 'conformant', mark: 'passed', title: 'Every objective met', sentence };
}

/** The watch that knows most. */
function longest(watches: readonly WatchView[]): WatchView['watched'] {
  return watches.flatMap(({ watched }) => watched ?? []).toSorted((a, b) => b.share - a.share)[0];
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function missedTitle({ watches }: MonitorView): string {
  const targets = watches
    .filter(({ judgements }) => judgements.some(({ standing }) => standing === 'missed'))
    .map(({ watch }) => watch.target);
  const names = [...new Set(targets)];
  return names.length > 2 ? `Missed at ${names.length} targets` : `Missed at ${names.join(' and ')}`;
}

function tile({ watch, watched, judgements, coverage }: WatchView, index: number): Markup {
  const items = judgements.map(
    ({ objective, standing }) =>
      markup`<li>${standingMark(standing)} ${objectiveText(objective)}: ${standingWords[standing]}</li>`,
  );
  return markup`<section class="tile watch-tile"><h2><a href="#watch-${index + 1}">${watchName(watch)}</a></h2>
<ul>${items.length > 0 ? items : markup`<li>no objectives</li>`}</ul>
<p>${sentenceCase(watchedText(watched))}: ${coverage ? markup`${percentText(coverage.whileWatched)} of the planned slots ran` : 'nothing was planned'}</p></section>`;
}

function contents({ keys, outages, restatements }: MonitorView): Markup {
  const changed = restatements.events.length + restatements.resets.length;
  return markup`<nav aria-label="Contents"><a href="#compared">Side by side</a> <a href="#watch-1">Target by target</a> <a href="#quota">${plural(keys.length, 'key')}</a> <a href="#incidents">${plural(outages.length, 'incident')}</a> <a href="#restatements">${plural(changed, 'restatement')}</a> <a href="#findings">Findings</a> <a href="#alerts">Alerts</a> <a href="#method">Method</a></nav>`;
}
