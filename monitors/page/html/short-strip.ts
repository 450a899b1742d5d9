import { type Markup, markup, unit } from '@candleproof/reports/words/markup';
import type { StretchCondition, WatchStretch } from '../coverage.ts';
import { daysShown, lastDays } from '../days.ts';
import { daysInWords, strip, stripTops } from './day-bars.ts';

/**
 * Renders the last 90 days of a watch on one axis as a line of the index: equal days that follow each other are one
 * stroke as wide as bars are high, and no day is named, because a page has hundreds of lines.
 */
export function shortStrip(days: readonly WatchStretch[], now: number, id: string): Markup {
  const found = new Map(days.map((day) => [day.begin, day.condition]));
  const all = lastDays(now, daysShown).map((begin) => found.get(begin) ?? 'silent');
  const drawn = (['ok', 'degraded', 'failed'] as const).map((condition) => {
    const path = joinBars(condition, all);
    return path !== '' && markup`<path class="${condition}" d="${path}"/>`;
  });
  const dashes = all.flatMap((condition, at) =>
    condition === 'silent'
      ? [`M${unit(at * strip.pitch + strip.width / 2)} ${strip.height}V${stripTops.silent}`]
      : [],
  );
  return markup`<svg viewBox="0 0 ${daysShown * strip.pitch} ${strip.height}" preserveAspectRatio="none" role="img" aria-labelledby="${id}"><title id="${id}">${daysInWords(days)}</title>${dashes.length > 0 && markup`<path class="silent" d="${dashes.join('')}"/>`}${drawn}</svg>`;
}

function joinBars(condition: StretchCondition, all: readonly StretchCondition[]): string {
  const y = (strip.height + stripTops[condition]) / 2;
  let [path, next] = ['', -1];
  for (const [at, each] of all.entries()) {
    if (each !== condition) continue;
    path += at === next ? `h${strip.pitch}` : `M${unit(at * strip.pitch)} ${y}h${strip.width}`;
    next = at + 1;
  }
  return path;
}
