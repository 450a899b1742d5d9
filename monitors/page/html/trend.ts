import { region } from '@candleproof/reports/run/table';
import { dateText, type Write } from '@candleproof/reports/words/format';
import { type Markup, markup, unit } from '@candleproof/reports/words/markup';
import { daysShown } from '../days.ts';
import { monthLabels } from './day-bars.ts';

type TrendPoint = { readonly begin: number; readonly value?: number | undefined };

/** A daily figure, and its objective. */
export type Trend = {
  readonly points: readonly TrendPoint[];
  readonly write: Write;
  readonly name: string;
  readonly id: string;
  /** The largest good value of the objective, in the unit of the points. */
  readonly under?: number | undefined;
};

type Known = { readonly begin: number; readonly value: number };

const pitch = 8;
const top = 18;
const height = 64;
const foot = top + height;

/** A day this many times above the median is off the scale: it would flatten all others to a line. */
const farthest = 4;

/**
 * Draws a daily figure as a line from 0; days without one are gaps, outliers above are marked. Undefined for a single
 * day.
 */
export function trend({ points, write, name, id, under }: Trend): Markup | undefined {
  const known = points.flatMap(({ begin, value }) => (value === undefined ? [] : [{ begin, value }]));
  const [first, ...others] = known;
  if (!first || others.length === 0) return undefined;
  const most = others.reduce((a, b) => (b.value > a.value ? b : a), first);
  const middle = known.toSorted((a, b) => a.value - b.value)[known.length >> 1] ?? first;
  const head = trendHead(known, middle.value, under);
  const beyond = known.filter(({ value }) => value > head).length;
  const text = `Usually ${write(middle.value)} (the middle of ${known.length} days); the most was ${write(most.value)} on ${dateText(most.begin)}.${beyond > 0 ? ` ▲ off the scale: ${beyond} of ${known.length} days.` : ''}${
    under === undefined
      ? ''
      : under > head
        ? ` The objective, ${write(under)}, lies above the chart.`
        : ` Dots: the objective, ${write(under)}.`
  }`;
  const width = Math.max(points.length, daysShown) * pitch;
  const svg = markup`<svg class="chart trend" viewBox="0 0 ${width} ${foot + 16}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"><title id="${id}-title">${name}</title><desc id="${id}-text">${text}</desc>
<path class="grid" d="M0 ${top}h${points.length * pitch}"/><path class="base" d="M0 ${foot}h${points.length * pitch}"/>${objectiveLine(under, head, points.length, write)}<path class="curve" d="${line(points, head)}"/>${points.map((point, index) => arrow(point, index, head, write))}<text class="tick" x="0" y="${top - 4}">${write(head)}</text>${monthLabels(
    points.map(({ begin }) => begin),
    { left: 0, pitch, y: foot + 13 },
  )}</svg>`;
  return markup`<figure class="wide">${region(name, svg, points.length < daysShown ? 'first' : 'newest')}<figcaption>${name}. ${text}</figcaption></figure>`;
}

/** Returns the top of the scale: the highest day that is no outlier, or the objective if the days come near it. */
function trendHead(known: readonly Known[], middle: number, under: number | undefined): number {
  const usual = known.flatMap(({ value }) => (value <= farthest * middle ? [value] : []));
  const highest = usual.reduce((a, b) => Math.max(a, b), 0);
  const isNear = under !== undefined && under <= farthest * Math.max(middle, highest);
  return Math.max(highest, isNear ? under * 1.1 : 0) || 1;
}

/** Draws the objective at its height, or names it at the top if it lies far above all days. */
function objectiveLine(
  under: number | undefined,
  head: number,
  days: number,
  write: Write,
): Markup | undefined {
  if (under === undefined) return undefined;
  if (under > head) {
    return markup`<text class="tick" x="80" y="${top - 4}">objective ${write(under)}, above the chart</text>`;
  }
  const y = foot - (height * under) / head;
  return markup`<path class="reserve" d="M0 ${unit(y)}h${days * pitch}"/><text class="tick" x="80" y="${unit(y - 4)}">objective ${write(under)}</text>`;
}

function arrow({ begin, value }: TrendPoint, index: number, head: number, write: Write): Markup | undefined {
  if (value === undefined || value <= head) return undefined;
  const x = unit(index * pitch + pitch / 2);
  return markup`<path class="failed" d="M${x} ${top - 1}l3.4 6h-6.8z"><title>${dateText(begin)}: ${write(value)}, off the scale</title></path>`;
}

/** Draws the line; a single day is a short dash. */
function line(points: readonly TrendPoint[], head: number): string {
  const parts = points.map(({ value }, index) => {
    if (value === undefined) return '';
    const [x, y] = [index * pitch + 1, unit(foot - (height * Math.min(value, head)) / head)];
    return `${points[index - 1]?.value === undefined ? 'M' : 'L'}${x} ${y}h${pitch - 2}`;
  });
  return parts.join('');
}
