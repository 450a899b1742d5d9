import type { DrawnCandle } from '@candleproof/law/rules/breach';
import { candleId, type Markup, markup, unit } from '../words/markup.ts';
import { describeCandle, describeCandles, describeOffScale, fields } from './figures.ts';
import {
  axisLabels,
  type ChartFrame,
  foot,
  frameName,
  gridLines,
  height,
  layOut,
  letterWidth,
  sheet,
  slotBand,
} from './layout.ts';
import { arrange, findStep, type PriceStep, placeOn, readPrice } from './panels.ts';

/**
 * Draws candles as inline SVG that is readable in gray and by a screen reader. Prices far outside the others are drawn
 * at the edge with an arrow and their number. `id` must be unique in the page.
 */
export function candlesSvg(candles: readonly DrawnCandle[], id: string): Markup {
  const frames = layOut(arrange(candles));
  const step = findStep(candles);
  return markup`<svg class="candles" viewBox="0 0 ${sheet.width} ${height}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text">
<title id="${id}-title">Candlestick drawing</title><desc id="${id}-text">${describeCandles(candles)}</desc>
${frames.map(drawFrame)}${step && frames.map((frame) => stepLine(frame, step))}</svg>`;
}

function drawFrame(frame: ChartFrame): Markup {
  const { columns } = frame;
  return markup`<g>${backdrop(frame)}${columns.toSorted((a, b) => Number(a.candle.offending) - Number(b.candle.offending)).map((column) => drawCandle(frame, column))}${axisLabels(frame, (price) => priceY(frame, price).y)}${offScaleLabels(frame)}</g>`;
}

/** Joins the close before a step with the open after it; undefined unless the frame holds both. */
function stepLine(frame: ChartFrame, { before, after }: PriceStep): Markup | undefined {
  const [from, to] = [before, after].map((candle) =>
    frame.columns.find((column) => column.candle === candle),
  );
  if (!from || !to) return undefined;
  return markup`<path class="end" d="M${unit(from.x)} ${unit(priceY(frame, before.close).y)}L${unit(to.x)} ${unit(priceY(frame, after.open).y)}"/>`;
}

function backdrop(frame: ChartFrame): Markup {
  const { left, right, columns, gaps, slotWidth } = frame;
  const bands = columns.filter(({ candle }) => candle.offending).map(({ x }) => slotBand(x, slotWidth));
  const holes = gaps.map(
    ({ x, missing }) =>
      markup`<path class="gap" d="M${unit(x)} ${sheet.top + 8}V${foot}"/><text class="gap-name" x="${unit(x)}" y="${sheet.top + 5}">${missing} missing</text>`,
  );
  return markup`${gridLines(frame, (price) => priceY(frame, price).y)}${bands}${holes}<path class="base" d="M${unit(left)} ${foot}H${unit(right)}"/>${frameName(frame)}`;
}

/** Labels the prices of the candle in question that lie beyond the edges. */
function offScaleLabels(frame: ChartFrame): Markup[] {
  return frame.columns
    .filter(({ candle }) => candle.offending)
    .slice(0, 1)
    .flatMap(({ candle, x }) =>
      ([1, -1] as const).flatMap((side) => {
        const text = describeOffScale(candle, frame.scale, side);
        return text === undefined ? [] : [arrowLabel(text, x, side > 0 ? 11 : foot + 11)];
      }),
    );
}

/** Places text on the side of a mark that has more room, and never over the edge. */
export function arrowLabel(text: string, x: number, y: number): Markup {
  const isLeft = x > sheet.width / 2;
  // Bold letters are wider.
  const width = 1.12 * letterWidth * text.length;
  const place = isLeft
    ? Math.max(x - 7, Math.min(width, sheet.width))
    : Math.min(x + 7, Math.max(0, sheet.width - width));
  const words = width > sheet.width ? text.replace(' off the scale', '') : text;
  return markup`<text class="off ${isLeft ? 'before' : 'after'}" x="${unit(place)}" y="${y}">${words}</text>`;
}

/** Returns the height of a price in units of the sheet, and whether it was moved to the edge. */
function priceY(frame: Pick<ChartFrame, 'scale'>, price: number): { y: number; off: -1 | 0 | 1 } {
  const { at, off } = placeOn(frame.scale, price);
  return { y: sheet.top + (1 - at) * sheet.plot, off };
}

function drawCandle(frame: ChartFrame, { candle, x }: ChartFrame['columns'][number]): Markup {
  const width = Math.min(16, frame.slotWidth * 0.62);
  const marks = markup`${candle.offending && isBroken(candle) && ends(frame, candle, x, width)}${average(frame, candle, x, width)}${arrows(frame, candle, x)}`;
  return candleShape(candle, x, width, (price) => priceY(frame, price).y, marks);
}

/** Draws a wick from low to high and a body from open to close: hollow if the candle closes higher, else filled. */
export function candleShape(
  candle: DrawnCandle,
  x: number,
  width: number,
  y: (price: number) => number,
  marks?: Markup,
): Markup {
  const [open, close] = [y(candle.open), y(candle.close)];
  return markup`<g class="candle ${candle.close >= candle.open ? 'up' : 'down'}${candle.offending && ' offending'}"${candleId(candle)}><title>${describeCandle(candle)}</title>
<path class="wick" d="M${unit(x)} ${unit(y(candle.high))}V${unit(y(candle.low))}"/>
<rect class="body" x="${unit(x - width / 2)}" y="${unit(Math.min(open, close))}" width="${unit(width)}" height="${unit(Math.max(1.2, Math.abs(open - close)))}"/>
${marks}</g>`;
}

/** Returns whether the extremes fail to enclose the other prices, so that only separate marks show them. */
function isBroken({ open, high, low, close }: DrawnCandle): boolean {
  return high < Math.max(open, low, close) || low > Math.min(open, high, close);
}

function ends(frame: ChartFrame, candle: DrawnCandle, x: number, width: number): Markup[] {
  return (['high', 'low'] as const).map((field) => {
    const { y } = priceY(frame, candle[field]);
    const reach = width / 2 + 3;
    return markup`<path class="end" d="M${unit(x - reach)} ${unit(y)}h${unit(2 * reach)}"/><text class="end-name" x="${unit(x + reach + 2)}" y="${unit(y + 4)}">${field}</text>`;
  });
}

function average(frame: ChartFrame, candle: DrawnCandle, x: number, width: number): Markup | undefined {
  const avg = readPrice(candle, 'avg');
  const { y, off } = priceY(frame, avg);
  if (off !== 0 || Number.isNaN(avg)) return undefined;
  const size = Math.max(2, Math.min(3.6, width / 3));
  const [across, down] = [unit(size), unit(size * 1.15)];
  return markup`<path class="avg" d="M${unit(x)} ${unit(y - size * 1.15)}l${across} ${down} -${across} ${down} -${across} -${down}z"/>`;
}

function arrows(frame: ChartFrame, candle: DrawnCandle, x: number): Markup[] {
  const offs = fields.map((field) => priceY(frame, readPrice(candle, field)).off);
  return ([1, -1] as const)
    .filter((side) => offs.includes(side))
    .map((side) => {
      const tip = side > 0 ? sheet.top - 5 : sheet.top + sheet.plot - 1;
      return markup`<path class="beyond" d="M${unit(x)} ${unit(tip)}l3.5 ${unit(side * 5)}h-7z"/>`;
    });
}
