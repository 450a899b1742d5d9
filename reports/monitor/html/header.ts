import type { Outcome } from '../../../contract/judge/verdict.ts';
import { leastWatched } from '../../../planning/confidence.ts';
import { mark } from '../../run/marks.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { instantText } from '../format.ts';
import { countStandings, type MonitorView } from '../view.ts';
import type { WatchView } from '../watch-view.ts';
import { standingWords, watchedText } from '../wording.ts';
import { warnings } from './warnings.ts';
import { sentenceCase, watchTile } from './watch-tile.ts';

type Verdict = {
  readonly look: string;
  readonly mark: Outcome;
  readonly title: string;
  readonly sentence: string;
};

/** Was what was promised kept, where, and how much of it was looked at. */
export function headerPart(view: MonitorView, refresh?: number): Markup {
  const verdict = monitorVerdict(view);
  const { now, watches } = view;
  return markup`<header class="page-head">
<div class="banner ${verdict.look}">${mark(verdict.mark)}
<div><p class="brand">Candleproof monitor report</p>
<h1>${verdict.title}</h1>
<p class="sentence">${verdict.sentence}</p>
<p class="target"><span>${sentenceCase(watchedText(longest(watches)))}, to <time datetime="${new Date(now).toISOString()}">${instantText(now)} UTC</time></span>${refresh !== undefined && markup`<span>made at <time>${secondText(now)} UTC</time>, anew every ${refresh} s</span>`}</p>${warnings(view)}
</div></div>
<div class="tiles">${watches.map((each, index) => watchTile(each, index, now))}</div>
${contents(view)}
</header>`;
}

/** `2026-11-20 09:40:12` in UTC, from Unix ms: a live page shows at a glance whether it still lives. */
function secondText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** In words first: a figure nobody can prove is no promise kept. */
export function monitorVerdict(view: MonitorView): Verdict {
  const { met, missed, undecided } = countStandings(view);
  const all = met + missed + undecided;
  if (all === 0) {
    const sentence =
      view.watches.length === 0 ? 'The store holds no probes yet.' : 'What was measured stands below.';
    return { look: 'inconclusive', mark: 'inconclusive', title: 'No objectives to judge', sentence };
  }
  const rest = [
    met > 0 && `${met} met`,
    missed > 0 && `${missed} missed`,
    undecided > 0 && `${undecided} with ${standingWords.undecided}`,
  ].filter((each) => each !== false);
  const sentence = `Of ${plural(all, 'objective')}: ${rest.join(', ')}.`;
  if (missed > 0) return { look: 'nonconformant', mark: 'failed', title: missedTitle(view), sentence };
  const isEarly = view.watches
    .flatMap((each) => each.judgements)
    .every(({ looked }) => looked < leastWatched);
  const title = isEarly ? 'Too little was watched for a verdict' : 'None missed, not all proven';
  return undecided > 0
    ? { look: 'inconclusive', mark: 'inconclusive', title, sentence }
    : { look: 'conformant', mark: 'passed', title: 'Every objective met', sentence };
}

/** The watch that knows most. */
function longest(watches: readonly WatchView[]): WatchView['watched'] {
  return watches.flatMap(({ watched }) => watched ?? []).toSorted((a, b) => b.share - a.share)[0];
}

function missedTitle({ watches }: MonitorView): string {
  const targets = watches
    .filter(({ judgements }) => judgements.some(({ standing }) => standing === 'missed'))
    .map(({ watch }) => watch.target);
  const names = [...new Set(targets)];
  return names.length > 2 ? `Missed at ${names.length} targets` : `Missed at ${names.join(' and ')}`;
}

function contents({ keys, outages, restatements }: MonitorView): Markup {
  const { events, resets } = restatements;
  const changed = `${plural(events.length, 'restated candle')}${resets.length > 0 ? `, ${plural(resets.length, 'new network')}` : ''}`;
  return markup`<nav aria-label="Contents"><a href="#compared">Side by side</a> <a href="#watch-1">Target by target</a> <a href="#quota">${plural(keys.length, 'key')}</a> <a href="#incidents">${plural(outages.length, 'incident')}</a> <a href="#restatements">${changed}</a> <a href="#findings">Findings</a> <a href="#alerts">Alerts</a> <a href="#method">Method</a></nav>`;
}
