import type { DrawnCandle } from '@candleproof/law/rules/breach';
import { createPaint, type Paint, type Tone } from '../words/terminal-text.ts';
import { describeCandle, describeCandles, describeOffScale, fields } from './figures.ts';
import { arrange, type Panel, placeOn, priceTicks, readPrice, type Scale } from './panels.ts';

/** A panel; `hasAxis` is false if the next panel shows the same scale. */
type Strip = Panel & { readonly hasAxis: boolean; readonly pitch: number };

type Cell = { readonly sign: string; readonly tone?: Tone };

const widestAxis = 14;

/**
 * Draws candles in characters, to be shown below a finding: │ wick, ║ closes higher, █ closes lower; the one in question
 * has ▲ below it and ◆ at its average. They take `height` rows of prices, and are squeezed into `width` columns.
 */
export function drawCandles(
  candles: readonly DrawnCandle[],
  options: { readonly color: boolean; readonly height?: number; readonly width?: number },
): string {
  if (candles.length === 0) return '';
  const { color, width = 100 } = options;
  const [height, paint] = [Math.max(2, options.height ?? 8), createPaint(color)];
  const strips = toStrips(arrange(candles), width);
  const rows = Array.from({ length: height }, (_, row) =>
    strips.map((strip) => stripRow(strip, row, height, paint)).join(' '),
  );
  const lines = [...offScaleLines(strips), ...rows, strips.map(foot).join(' '), caption(candles)];
  return lines.map((line) => line.trimEnd()).join('\n');
}

function toStrips(panels: readonly Panel[], width: number): Strip[] {
  const slots = panels.flatMap((panel) =>
    panel.slots.map(({ missingBefore }) => (missingBefore > 0 ? 2 : 1)),
  );
  const scales = new Set(panels.map((panel) => panel.scale));
  const room = width - scales.size * widestAxis;
  const pitch = Math.min(3, Math.max(1, Math.floor(room / slots.reduce((total, width) => total + width, 0))));
  return panels.map((panel, index) => ({
    ...panel,
    hasAxis: panels[index + 1]?.scale !== panel.scale,
    pitch,
  }));
}

function stripRow(
  { slots, scale, hasAxis, pitch }: Strip,
  row: number,
  height: number,
  paint: Paint,
): string {
  const drawn = slots.map(({ candle, missingBefore }) => {
    const { sign, tone } = candleCell(candle, scale, row, height);
    const gap = missingBefore > 0 ? spaceOut('┊', pitch) : '';
    return gap + spaceOut(sign, pitch).replace(sign, tone ? paint(tone, sign) : sign);
  });
  return drawn.join('') + (hasAxis ? paint('quiet', axisLabel(scale, row, height)) : '');
}

function spaceOut(sign: string, pitch: number): string {
  return pitch === 3 ? ` ${sign} ` : sign.padEnd(pitch);
}

/** Returns the character that shows a candle in one row; the foremost part wins. */
function candleCell(candle: DrawnCandle, scale: Scale, row: number, height: number): Cell {
  const { open, close, offending } = candle;
  const [openRow, highRow, lowRow, closeRow, avgRow] = fields.map((field) =>
    priceRow(scale, readPrice(candle, field), height),
  ) as [number, number, number, number, number];
  const tone = offending ? { tone: 'bad' as const } : {};
  const beyond = offScaleSign(candle, scale, row, height);
  if (beyond) return { sign: beyond, ...tone };
  if (offending && avgRow === row) return { sign: '◆', tone: 'accent' };
  if (isBetween(row, openRow, closeRow)) return { sign: close >= open ? '║' : '█', ...tone };
  return isBetween(row, highRow, lowRow) ? { sign: '│', ...tone } : { sign: ' ' };
}

function priceRow(scale: Scale, price: number, height: number): number {
  return Math.min(height - 1, Math.floor((1 - placeOn(scale, price).at) * height));
}

function isBetween(row: number, one: number, other: number): boolean {
  return row >= Math.min(one, other) && row <= Math.max(one, other);
}

function offScaleSign(candle: DrawnCandle, scale: Scale, row: number, height: number): string | undefined {
  const shown = fields.filter((field) => field !== 'avg' || candle.offending);
  const offs = shown.map((field) => placeOn(scale, readPrice(candle, field)).off);
  if (row === 0 && offs.includes(1)) return '↑';
  return row === height - 1 && offs.includes(-1) ? '↓' : undefined;
}

function axisLabel(scale: Scale, row: number, height: number): string {
  const ticks = priceTicks(scale, Math.max(2, Math.floor(height / 2)));
  const width = Math.max(0, ...ticks.map(({ label }) => label.length));
  const tick = ticks.find(({ price }) => priceRow(scale, price, height) === row);
  return ` ${(tick?.label ?? '').padEnd(width)}`;
}

function foot({ slots, scale, hasAxis, pitch }: Strip): string {
  const marks = slots.map(
    ({ candle, missingBefore }) =>
      (missingBefore > 0 ? spaceOut(' ', pitch) : '') + spaceOut(candle.offending ? '▲' : ' ', pitch),
  );
  return marks.join('') + (hasAxis ? axisLabel(scale, -1, 2) : '');
}

function offScaleLines(panels: readonly Panel[]): string[] {
  return panels.flatMap(({ slots, scale }) =>
    slots
      .filter(({ candle }) => candle.offending)
      .flatMap(({ candle }) => ([1, -1] as const).map((side) => describeOffScale(candle, scale, side)))
      .filter((side) => side !== undefined),
  );
}

function caption(candles: readonly DrawnCandle[]): string {
  const offending = candles.find((candle) => candle.offending);
  return offending ? `▲ ${describeCandle(offending)}` : describeCandles(candles);
}
