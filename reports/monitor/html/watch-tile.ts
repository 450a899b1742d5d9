import { thousands } from '../../../contract/reading/thousands.ts';
import { formatPercent } from '../../../planning/format-percent.ts';
import { mark } from '../../run/marks.ts';
import { type Markup, markup } from '../../words/markup.ts';
import type { GoodShare, Percentile } from '../estimates.ts';
import { countText, durationText, instantText, timeText } from '../format.ts';
import type { WatchView } from '../watch-view.ts';
import { correctnessText, deepRunText, isRed } from '../watch-view.ts';
import { watchName } from '../watches.ts';
import { objectiveText, standingWords, watchedText } from '../wording.ts';
import { at, standingMark } from './pieces.ts';

/** A watch at a glance: how it stands now, its figures, and what became of its objectives. */
export function watchTile(view: WatchView, index: number, now: number): Markup {
  const { watch, watched, judgements, coverage } = view;
  const items = judgements.map(
    ({ objective, standing, measured }) =>
      markup`<li>${standingMark(standing)} ${objectiveText(objective)}: ${standingWords[standing]}${measured && `, ${shareText(measured)}`}</li>`,
  );
  return markup`<section class="tile watch-tile"><h2><a href="#watch-${index + 1}">${watchName(watch)}</a></h2>
${stateNow(view, now)}
<p class="large">${view.availability ? formatPercent(view.availability.share) : '–'} <small>${view.availability ? `available, ${countText(view.availability)}` : 'nothing was measured'}</small></p>
<ul class="figures">${figures(view).map((each) => markup`<li>${each}</li>`)}</ul>
<ul>${items.length > 0 ? items : markup`<li>no objectives</li>`}</ul>
${correctnessLine(view, now)}
<p>${sentenceCase(watchedText(watched))}: ${coverage ? markup`${formatPercent(coverage.whileWatched)} of the planned slots ran${coverage.covered > 0 && ' or were covered by traffic'}` : 'nothing was planned'}</p></section>`;
}

const degradedWords: Readonly<Record<string, string>> = {
  correctness: 'Up, but serving wrong candles',
  freshness: 'Up, but serving stale candles',
  latency: 'Up, but slow',
};

/** Capitalizes the first letter of a text. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `Up now: last look 12 s ago`, by the time of the page. */
function stateNow({ badNow, lastLook, unseenSince, totals }: WatchView, now: number): Markup {
  if (lastLook === undefined) return state('inconclusive', 'Not known now: no look yet');
  const ago = `${durationText(Math.max(0, now - lastLook))} ago`;
  if (unseenSince !== undefined)
    return state('inconclusive', `Not known now: not seen since ${instantText(unseenSince)} UTC, ${ago}`);
  const look = `last look ${ago}`;
  const down = badNow.find(({ indicator }) => indicator === 'availability') ?? badNow[0];
  if (!down) {
    const isSeen = (totals.outcomes.ok ?? 0) + (totals.outcomes.degraded ?? 0) > 0;
    return isSeen ? state('passed', `Up now: ${look}`) : state('inconclusive', `Not known now: ${look}`);
  }
  const what =
    down.indicator === 'availability'
      ? 'Down'
      : (degradedWords[down.indicator] ?? `Up, but ${down.indicator} is bad`);
  return state('failed', `${what} now, since ${instantText(down.since)} UTC: ${look}`);
}

/** Renders a tile's line about correctness, with the newest deep run. */
function correctnessLine(view: WatchView, now: number): Markup {
  const run = deepRunText(view, now);
  return markup`<p>${isRed(view.deepRun) && markup`${mark('failed')} `}${correctnessText(view)}${run && ` ${run}`}</p>`;
}

function state(look: 'passed' | 'failed' | 'inconclusive', words: string): Markup {
  return markup`<p class="state ${look}">${mark(look)} ${words}</p>`;
}

function shareText(share: GoodShare): string {
  return `${formatPercent(share.share)} (${countText(share)})`;
}

/** The slowest operation's p95 and the age of the newest candle, each with its n; in brackets where the sample is too small. */
function figures({ operations, freshness }: WatchView): string[] {
  const slowest = operations
    .flatMap(({ operation, cold }) => {
      const p95 = at(cold, 0.95);
      return cold && p95 ? [{ operation, n: cold.n, p95 }] : [];
    })
    .toSorted((a, b) => b.p95.value - a.p95.value)[0];
  const age = at(freshness?.percentiles, 0.95);
  return [
    ...(slowest
      ? [
          `p95 ${valueText(slowest.p95, timeText)}, n ${thousands(slowest.n)}, the slowest: ${slowest.operation}`,
        ]
      : []),
    ...(age && freshness
      ? [`newest candle p95 ${valueText(age, durationText)} old, n ${thousands(freshness.percentiles.n)}`]
      : []),
  ];
}

function valueText({ value, isGrey }: Percentile, write: (value: number) => string): string {
  return isGrey ? `(${write(value)})` : write(value);
}
