import type { CandleRole } from '@candleproof/document/spec/roles';
import type { DrawnCandle } from '@candleproof/law/rules/breach';
import { formatAmount } from '../words/format.ts';
import { candleId, type Markup, markup, unit } from '../words/markup.ts';
import { formatSpan } from './figures.ts';
import {
  axisLabels,
  type ChartFrame,
  frameName,
  gridLines,
  height,
  layOut,
  sheet,
  slotBand,
} from './layout.ts';
import { arrangeSeries, chooseScale, type Panel, placeOn, type Scale } from './panels.ts';

/** Returns whether a finding is about an amount of these candles, so that a drawing of prices would not show it. */
export function hasAmounts(candles: readonly DrawnCandle[]): boolean {
  return candles.some(({ amount }) => amount !== undefined);
}

/**
 * Draws an amount of each candle as a bar from zero; an amount far above the others ends in an arrow. The parts of a
 * whole stand on each other if the amount is a sum, so that they reach as high as the whole should.
 */
export function amountsSvg(candles: readonly DrawnCandle[], role: CandleRole, id: string): Markup {
  const [one, parts] = arrangeSeries(candles, { low: 0, high: 1 });
  const bases =
    parts && role !== 'liquidity' && role !== 'liquidity-usd' ? stack(parts) : new Map<DrawnCandle, number>();
  const tops = [...bases].map(([candle, base]) => base + (candle.amount ?? 0));
  const whole = (parts && one?.slots.map(({ candle }) => candle.amount ?? 0)) ?? [];
  const scale =
    bases.size > 0 ? { low: 0, high: 1.06 * Math.max(...tops, ...whole) || 1 } : chooseAmountScale(candles);
  const frames = layOut(arrangeSeries(candles, scale));
  return markup`<svg class="candles amounts" viewBox="0 0 ${sheet.width} ${height}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text">
<title id="${id}-title">Bars of ${role}</title><desc id="${id}-text">${describeAmounts(candles, role)}</desc>
${frames.map((frame) => drawFrame(frame, bases))}</svg>`;
}

/** `volume of 7 candles from …; the one in question: 2025-11-12 13:00 to 14:00 UTC, volume 0` */
export function describeAmounts(candles: readonly DrawnCandle[], role: CandleRole): string {
  const start = Math.min(...candles.map((candle) => candle.start));
  const end = Math.max(...candles.map((candle) => candle.end));
  const reported = candles
    .filter(({ offending }) => offending)
    .slice(0, 3)
    .map((candle) => `; the one in question: ${describeBar(candle, role)}`);
  return `${role} of ${candles.length} candles from ${formatSpan(start, end)}${reported.join('')}`;
}

function describeBar({ start, end, amount }: DrawnCandle, role: string): string {
  return `${formatSpan(start, end)}, ${role} ${amount === undefined ? 'unreadable' : formatAmount(amount)}`;
}

/** Returns the amount at which the bar of each part begins: the sum of those before it. */
function stack({ slots }: Panel): Map<DrawnCandle, number> {
  let sum = 0;
  return new Map(
    slots.map(({ candle }) => {
      const base = sum;
      sum += candle.amount ?? 0;
      return [candle, base];
    }),
  );
}

/** Begins at zero unless an amount is negative: the length of a bar is its amount. */
function chooseAmountScale(candles: readonly DrawnCandle[]): Scale {
  const { low, high } = chooseScale(candles.map(({ amount = Number.NaN }) => amount));
  return { low: Math.min(0, low), high: Math.max(high, 0) || 1 };
}

function drawFrame(frame: ChartFrame, bases: ReadonlyMap<DrawnCandle, number>): Markup {
  const { left, right, columns } = frame;
  const y = (amount: number): number => sheet.top + (1 - placeOn(frame.scale, amount).at) * sheet.plot;
  return markup`<g>${gridLines(frame, y)}${columns.map((column) => drawBar(frame, column, bases.get(column.candle) ?? 0, y))}<path class="base" d="M${unit(left)} ${unit(y(0))}H${unit(right)}"/>${axisLabels(frame, y)}${frameName(frame)}</g>`;
}

function drawBar(
  { scale, slotWidth }: ChartFrame,
  { candle, x }: ChartFrame['columns'][number],
  from: number,
  y: (amount: number) => number,
): Markup {
  const { amount = Number.NaN, offending } = candle;
  const width = Math.min(16, slotWidth * 0.62);
  const [base, end] = [y(from), Number.isNaN(amount) ? y(from) : y(from + amount)];
  const band = offending && slotBand(x, slotWidth);
  const beyond =
    placeOn(scale, amount).off > 0 &&
    markup`<path class="beyond" d="M${unit(x)} ${sheet.top - 5}l3.5 5h-7z"/>`;
  return markup`<g class="candle down${offending && ' offending'}"${candleId(candle)}><title>${describeBar(candle, 'amount')}</title>${band}<rect class="body" x="${unit(x - width / 2)}" y="${unit(Math.min(base, end))}" width="${unit(width)}" height="${unit(Math.max(1.2, Math.abs(base - end)))}"/>${beyond}</g>`;
}
