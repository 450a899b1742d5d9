import type { DrawnCandle } from '../../contract/judge/verdict.ts';
import { axisLabel } from '../words/instant.ts';
import { type Markup, markup } from '../words/markup.ts';
import { drawCandle, unit, yOf } from './candle-shape.ts';
import { axisLength, describeCandles, offScaleText } from './figures.ts';
import { type ChartFrame, height, layOut, sheet } from './layout.ts';
import { arrange } from './panels.ts';

const foot = sheet.top + sheet.plot;
const letterWidth = 5;

/**
 * Candles as an inline drawing that can be read in grey and by a screen reader. Prices far outside the others are
 * held at its edge with an arrow and their number. `id` must be unique in the page.
 */
export function candlesSvg(candles: readonly DrawnCandle[], id: string): Markup {
  const frames = layOut(arrange(candles));
  return markup`<svg class="candles" viewBox="0 0 ${sheet.width} ${height}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text">
<title id="${id}-title">Candlestick drawing</title><desc id="${id}-text">${describeCandles(candles)}</desc>
${frames.map(drawFrame)}</svg>`;
}

function drawFrame(frame: ChartFrame): Markup {
  const { columns } = frame;
  return markup`<g>${backdrop(frame)}${columns.map((each) => drawCandle(frame, each))}${axis(frame)}${timeLabels(frame)}${offLabels(frame)}</g>`;
}

/** Behind the candles: grid lines, the band of the candle in question, the gaps. */
function backdrop({ left, right, ticks, scale, columns, gaps, slotWidth, label }: ChartFrame): Markup {
  const lines = ticks.map(({ price }) => `M${unit(left)} ${unit(yOf({ scale }, price).y)}H${unit(right)}`);
  const bands = columns
    .filter(({ candle }) => candle.offending)
    .map(
      ({ x }) =>
        markup`<rect class="band" x="${unit(x - slotWidth / 2)}" y="${sheet.top}" width="${unit(slotWidth)}" height="${sheet.plot}"/><path class="pointer" d="M${unit(x)} ${foot + 1}l4 6h-8z"/>`,
    );
  const holes = gaps.map(
    ({ x, missing }) =>
      markup`<path class="gap" d="M${unit(x)} ${sheet.top + 8}V${foot}"/><text class="gap-name" x="${unit(x)}" y="${sheet.top + 5}">${missing} missing</text>`,
  );
  const name =
    label &&
    markup`<text class="panel-name" x="${unit((left + right) / 2)}" y="${height - 2}">${label}</text>`;
  return markup`<path class="grid" d="${lines.join('')}"/>${bands}${holes}<path class="base" d="M${unit(left)} ${foot}H${unit(right)}"/>${name}`;
}

function axis({ right, ticks, scale }: ChartFrame): Markup[] {
  return ticks.map(
    ({ price, label }) =>
      markup`<text class="price" x="${unit(right + 5)}" y="${unit(yOf({ scale }, price).y + 3)}">${label}</text>`,
  );
}

/** As many times as there is room for; the rest can be counted. */
function timeLabels({ columns, slotWidth }: ChartFrame): Markup[] {
  const length = axisLength(columns.map((each) => each.candle));
  const stride = Math.max(1, Math.ceil((letterWidth * 6.5) / slotWidth));
  return columns
    .filter((_, index) => index % stride === 0)
    .map(
      ({ candle, x }) =>
        markup`<text class="time" x="${unit(x)}" y="${foot + 22}">${axisLabel(candle.start, length)}</text>`,
    );
}

/** Numbers beyond the edges in words, for the candle in question. */
function offLabels(frame: ChartFrame): Markup[] {
  return frame.columns
    .filter(({ candle }) => candle.offending)
    .slice(0, 1)
    .flatMap(({ candle, x }) =>
      ([1, -1] as const).flatMap((side) => {
        const text = offScaleText(candle, frame.scale, side);
        return text === undefined ? [] : [besideArrow(text, x, side > 0 ? 11 : foot + 12)];
      }),
    );
}

/** On the side of the arrow that has more room. */
function besideArrow(text: string, x: number, y: number): Markup {
  const isLeft = x > sheet.width / 2;
  return markup`<text class="off ${isLeft ? 'before' : 'after'}" x="${unit(isLeft ? x - 7 : x + 7)}" y="${y}">${text}</text>`;
}
