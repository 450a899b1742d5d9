import { unit } from '../../candles/candle-shape.ts';
import { type Markup, markup } from '../../markup.ts';
import { dateText } from '../format.ts';
import { daysShown } from '../spans.ts';
import { monthLabels } from './day-axis.ts';
import { region } from './table.ts';

export type TrendPoint = { readonly begin: number; readonly value?: number };

const pitch = 8;
const top = 12;
const height = 52;
const foot = top + height;

/** A figure a day as a line from 0 to its highest; days without one are gaps. One day is no trend. */
export function trend(
  points: readonly TrendPoint[],
  write: (value: number) => string,
  name: string,
  id: string,
): Markup | undefined {
  const known = points.flatMap(({ begin, value }) => (value === undefined ? [] : [{ begin, value }]));
  const [first, ...others] = known;
  if (!first || others.length === 0) return undefined;
  const most = others.reduce((a, b) => (b.value > a.value ? b : a), first);
  const middle = known.toSorted((a, b) => a.value - b.value)[known.length >> 1] ?? first;
  const text = `Usually ${write(middle.value)} (the middle of ${known.length} days); the most was ${write(most.value)} on ${dateText(most.begin)}.`;
  const width = Math.max(points.length, daysShown) * pitch;
  const svg = markup`<svg class="chart trend" viewBox="0 0 ${width} ${foot + 14}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">${name}</title><desc id="${id}-text">${text}</desc>
<path class="grid" d="M0 ${top}h${points.length * pitch}"/><path class="base" d="M0 ${foot}h${points.length * pitch}"/><path class="curve" d="${line(points, most.value)}"/><text class="tick" x="0" y="${top - 3}">${write(most.value)}</text>${monthLabels(
    points.map(({ begin }) => begin),
    { left: 0, pitch, y: foot + 11 },
  )}</svg>`;
  return markup`<figure class="wide">${region(name, svg, points.length < daysShown ? 'first' : 'newest')}<figcaption>${name}. ${text}</figcaption></figure>`;
}

/** A day alone is a short dash. */
function line(points: readonly TrendPoint[], most: number): string {
  let isDrawing = false;
  const parts = points.map(({ value }, index) => {
    if (value === undefined) {
      isDrawing = false;
      return '';
    }
    const [x, y] = [index * pitch + 1, unit(foot - (most > 0 ? (height * value) / most : 0))];
    const part = isDrawing ? `L${x} ${y}h${pitch - 2}` : `M${x} ${y}h${pitch - 2}`;
    isDrawing = true;
    return part;
  });
  return parts.join('');
}
