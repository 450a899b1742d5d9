import { type Markup, markup, unit } from '../../words/markup.ts';
import { dateText } from '../format.ts';
import { daysShown } from '../spans.ts';

export type DayAxis = { readonly left: number; readonly pitch: number; readonly y: number };

/** The first day of each month by its date, and the first day of all where there is room before that. */
export function monthLabels(begins: readonly number[], { left, pitch, y }: DayAxis): Markup[] {
  const firsts = begins.flatMap((begin, index) => (dateText(begin).endsWith('-01') ? [index] : []));
  const room = Math.ceil(62 / pitch);
  const shown = [...((firsts[0] ?? room) >= room && begins.length > 0 ? [0] : []), ...firsts];
  return shown.map((index) => {
    const x = left + index * pitch;
    // A chart is as wide as 90 days, however few it shows.
    const isLate = index > Math.max(begins.length, daysShown) - room;
    return markup`<text class="tick"${isLate && markup` text-anchor="end"`} x="${unit(isLate ? x + pitch : x)}" y="${y}">${dateText(begins[index] ?? 0)}</text>`;
  });
}
