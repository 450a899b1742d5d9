import type { DrawnCandle } from '../../contract/judge/verdict.ts';
import { type Markup, markup } from '../words/markup.ts';
import { figures } from './figures.ts';
import { type ChartFrame, type Column, sheet } from './layout.ts';
import { placeOn } from './scale.ts';

/** Height of a price in units of the sheet, and whether it had to be moved to the edge. */
export function yOf(frame: Pick<ChartFrame, 'scale'>, price: number): { y: number; off: -1 | 0 | 1 } {
  const { at, off } = placeOn(frame.scale, price);
  return { y: sheet.top + (1 - at) * sheet.plot, off };
}

/** Two decimals are finer than any printer. */
export function unit(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Wick from low to high, body from open to close: hollow where it closes higher, filled where lower; average as a diamond. */
export function drawCandle(frame: ChartFrame, { candle, x }: Column): Markup {
  const width = Math.min(16, frame.slotWidth * 0.62);
  const [open, close] = [yOf(frame, candle.open).y, yOf(frame, candle.close).y];
  const [high, low] = [yOf(frame, candle.high).y, yOf(frame, candle.low).y];
  const top = Math.min(open, close);
  const tall = Math.max(1.2, Math.abs(open - close));
  const direction = candle.close >= candle.open ? 'up' : 'down';
  return markup`<g class="candle ${direction}${candle.offending && ' offending'}"><title>${figures(candle)}</title>
<path class="wick" d="M${unit(x)} ${unit(high)}V${unit(low)}"/>
<rect class="body" x="${unit(x - width / 2)}" y="${unit(top)}" width="${unit(width)}" height="${unit(tall)}"/>
${candle.offending && isBroken(candle) && ends(frame, candle, x, width)}${average(frame, candle, x, width)}${arrows(frame, candle, x)}</g>`;
}

/** Its extremes do not hold its other prices: only marks of their own show where they lie. */
function isBroken({ open, high, low, close }: DrawnCandle): boolean {
  return high < Math.max(open, low, close) || low > Math.min(open, high, close);
}

function ends(frame: ChartFrame, candle: DrawnCandle, x: number, width: number): Markup[] {
  return (['high', 'low'] as const).map((field) => {
    const { y } = yOf(frame, candle[field]);
    const reach = width / 2 + 3;
    return markup`<path class="end" d="M${unit(x - reach)} ${unit(y)}h${unit(2 * reach)}"/><text class="end-name" x="${unit(x + reach + 2)}" y="${unit(y + 3)}">${field}</text>`;
  });
}

function average(frame: ChartFrame, { avg }: DrawnCandle, x: number, width: number): Markup | undefined {
  const { y, off } = yOf(frame, avg);
  if (off !== 0) return undefined;
  const size = Math.max(2, Math.min(3.6, width / 3));
  const [across, down] = [unit(size), unit(size * 1.15)];
  return markup`<path class="avg" d="M${unit(x)} ${unit(y - size * 1.15)}l${across} ${down} -${across} ${down} -${across} -${down}z"/>`;
}

/** A small arrow at the edge that something of this candle lies beyond. */
function arrows(frame: ChartFrame, candle: DrawnCandle, x: number): Markup[] {
  const offs = [candle.open, candle.high, candle.low, candle.close, candle.avg].map(
    (price) => yOf(frame, price).off,
  );
  return ([1, -1] as const)
    .filter((side) => offs.includes(side))
    .map((side) => {
      const tip = side > 0 ? sheet.top - 5 : sheet.top + sheet.plot - 1;
      return markup`<path class="beyond" d="M${unit(x)} ${unit(tip)}l3.5 ${unit(side * 5)}h-7z"/>`;
    });
}
