import { region } from '@candleproof/reports/run/table';
import { instantText, plural } from '@candleproof/reports/words/format';
import { type Markup, markup, unit } from '@candleproof/reports/words/markup';
import { day, hour, roundToBegin } from '../../results/calendar.ts';
import type { StretchCondition, WatchStretch } from '../coverage.ts';
import { daysShown } from '../days.ts';
import { monthLabels, stretchInWords } from './day-bars.ts';

const left = 42;
const pitch = 7.5;
const row = 6.6;
const top = 6;
const foot = top + 24 * row + 2;

type Layer = {
  readonly name: string;
  readonly wide: number;
  readonly has: (stretch: WatchStretch) => boolean;
};

const whole = pitch - 1;
const is = (condition: StretchCondition) => (watchStretch: WatchStretch) =>
  watchStretch.condition === condition;
const failedBetween = (from: number, to: number) => (watchStretch: WatchStretch) =>
  watchStretch.condition === 'failed' && failedShare(watchStretch) >= from && failedShare(watchStretch) < to;

/** Layers in drawing order; adjacent cells of the first one are joined. */
const layers: readonly Layer[] = [
  { name: 'ok', wide: whole, has: ({ condition }) => condition === 'ok' || condition === 'degraded' },
  { name: 'degraded', wide: whole / 2, has: is('degraded') },
  { name: 'failed few', wide: whole, has: failedBetween(0, 0.1) },
  { name: 'failed some', wide: whole, has: failedBetween(0.1, 0.5) },
  { name: 'failed', wide: whole, has: failedBetween(0.5, Infinity) },
  { name: 'unseen-hour', wide: 1.6, has: is('silent') },
];

function failedShare({ outcomes: { failed = 0, degraded = 0, ok = 0 } }: WatchStretch): number {
  return failed / Math.max(1, failed + degraded + ok);
}

const maxListed = 60;

/**
 * Draws every hour, a column for each day: a daily event is a horizontal line, a single event a spot; an average week
 * would show both alike. Failed cells are full, and darker with more failures; degraded ones are half, unwatched ones a
 * dot.
 */
export function heatMap(hours: readonly WatchStretch[], name: string, id: string): Markup {
  const first = roundToBegin(hours.at(0)?.begin ?? 0, day);
  const columns = Math.ceil(((hours.at(-1)?.begin ?? first) + hour - first) / day);
  // A short watch is drawn at the scale of a long one.
  const width = left + Math.max(columns, daysShown) * pitch;
  const begins = Array.from({ length: columns }, (_, index) => first + index * day);
  const reported = hours.filter(({ condition }) => condition === 'failed' || condition === 'degraded');
  const text = `${plural(reported.filter(({ condition }) => condition === 'failed').length, 'hour')} with failures, ${plural(reported.filter(({ condition }) => condition === 'degraded').length, 'hour')} degraded, of ${plural(hours.length, 'hour')}; times are UTC.`;
  const svg = markup`<svg class="chart heat" viewBox="0 0 ${unit(width)} ${unit(foot + 15)}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">Hour by hour</title><desc id="${id}-text">${text}</desc>
${layers.map((layer, at) => markup`<path class="${layer.name}" d="${cells(hours, layer, first, at === 0)}"/>`)}${hourLabels()}${monthLabels(begins, { left, pitch, y: foot + 13 })}</svg>`;
  return markup`<figure class="wide">${region(name, svg, columns < daysShown ? 'first' : 'newest')}
<figcaption>Columns are days, rows hours of the day (UTC): a daily problem forms a horizontal line, a single one a spot. Red, the darker the more: failures in less than 10 %, less than 50 %, 50 % and more of the slots; half: degraded; green: ok; a dot: no probe. ${text}</figcaption></figure>
${listStretches(reported)}`;
}

/** Draws cells as one path; adjacent cells of a day are joined in the ground layer. */
function cells(
  hours: readonly WatchStretch[],
  { has, wide }: Layer,
  first: number,
  isGround: boolean,
): string {
  const runs: { x: number; y: number; count: number }[] = [];
  for (const watchStretch of hours) {
    if (!has(watchStretch)) continue;
    const index = Math.round((watchStretch.begin - first) / hour);
    const [x, y] = [Math.floor(index / 24), index % 24];
    const last = runs.at(-1);
    const isNext = isGround && last?.x === x && last.y + last.count === y;
    if (isNext) runs.splice(-1, 1, { ...last, count: last.count + 1 });
    else runs.push({ x, y, count: 1 });
  }
  return runs
    .map(({ x, y, count }) =>
      wide < 2
        ? `M${unit(left + x * pitch + whole / 2 - wide / 2)} ${unit(top + y * row + row / 2 - wide)}h${wide}v${wide}h${-wide}z`
        : `M${unit(left + x * pitch)} ${unit(top + y * row)}h${unit(wide)}v${unit(count * row - 1)}h${unit(-wide)}z`,
    )
    .join('');
}

function hourLabels(): Markup[] {
  return [0, 6, 12, 18].map(
    (hour) =>
      markup`<text class="tick" x="0" y="${unit(top + hour * row + 8)}">${String(hour).padStart(2, '0')}:00</text>`,
  );
}

function listStretches(stretches: readonly WatchStretch[]): Markup | undefined {
  if (stretches.length === 0) return undefined;
  const newest = stretches.toReversed().slice(0, maxListed);
  const more = stretches.length - newest.length;
  return markup`<details><summary>The hours with failures or degraded answers</summary><ul class="hours">${newest.map((watchStretch) => markup`<li>${stretchInWords(watchStretch, instantText(watchStretch.begin))}</li>`)}</ul>${more > 0 && markup`<p>and ${plural(more, 'hour')} before.</p>`}</details>`;
}
