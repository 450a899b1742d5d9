import { thousands } from '@candleproof/law/reading/words';
import { formatMinute, plural } from '../words/format.ts';
import { candleId, type Markup, markup, unit } from '../words/markup.ts';
import type { PlacedPicture } from './addressed.ts';
import { formatSpan } from './figures.ts';
import { sheet as drawing } from './layout.ts';

type Strip = NonNullable<PlacedPicture['strip']>;

const sheet = { width: drawing.width, side: 4, top: 4, height: 10 } as const;

/** The least width of a gap that a reader sees. */
const narrowest = 2;

/** Draws all that an answer spans as a bar with its gaps, so that a pattern shows that no single gap does. */
export function stripSvg({ start, end, gaps, length }: Strip): Markup {
  const x = (at: number): number =>
    sheet.side + ((at - start) / (end - start)) * (sheet.width - 2 * sheet.side);
  const foot = sheet.top + sheet.height;
  return markup`<svg class="candles strip" viewBox="0 0 ${sheet.width} ${foot + 19}" role="img" aria-label="${describeStrip({ start, end, gaps, length })}">
<rect class="whole" x="${sheet.side}" y="${sheet.top}" width="${sheet.width - 2 * sheet.side}" height="${sheet.height}"/>${gaps.map((gap) => markup`<rect class="lost" x="${unit(x(gap.start))}" y="${sheet.top - 2}" width="${unit(Math.max(narrowest, x(gap.end) - x(gap.start)))}" height="${sheet.height + 4}"><title>${formatSpan(gap.start, gap.end)}</title></rect>`)}
<text x="${sheet.side}" y="${foot + 14}">${formatMinute(start)} UTC</text><text class="before" x="${sheet.width - sheet.side}" y="${foot + 14}">${formatMinute(end)} UTC</text></svg>`;
}

/**
 * `8 gaps, 8 intervals in all, from 2026-11-23 11:25 to 2026-11-30 13:25 UTC`. Of how many is for the finding to say: it counts
 * closed intervals alone.
 */
export function describeStrip({ start, end, gaps, length }: Strip): string {
  const missing = gaps.reduce((total, gap) => total + (gap.end - gap.start) / length, 0);
  return `${plural(gaps.length, 'gap')}, ${plural(Math.round(missing), 'interval')} in all, from ${formatSpan(start, end)}`;
}

/** Gaps beyond these are in the drawing alone. */
const maxListed = 40;

/** Renders the gaps as a table, folded if there are many. */
export function gapsTable({ gaps, length }: Strip): Markup {
  const rest = gaps.length - maxListed;
  return markup`<details${gaps.length <= 12 && ' open'}><summary>${rest > 0 ? `The first ${maxListed} of ${thousands(gaps.length)} gaps` : plural(gaps.length, 'gap')} as a table</summary><table class="wrong-rows gaps"><thead><tr><th scope="col">Gap</th><th scope="col" class="number">Missing rows</th></tr></thead>
<tbody>${gaps.slice(0, maxListed).map((gap) => markup`<tr${candleId(gap)}><td>${formatSpan(gap.start, gap.end)}</td><td class="number">${thousands(Math.round((gap.end - gap.start) / length))}</td></tr>`)}</tbody></table></details>`;
}
