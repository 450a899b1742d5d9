import type { DrawnCandle } from '@candleproof/law/rules/breach';
import { axisLabel, formatMinute, roughText } from '../words/format.ts';
import { candleId, Markup, markup, unit } from '../words/markup.ts';
import type { PlacedSlot } from './addressed.ts';
import { sheet as drawing, timeRoom } from './layout.ts';
import { chooseScale, listPrices, placeOn, type Scale } from './panels.ts';
import { arrowLabel, candleShape } from './svg.ts';

/** The candles of one answer, and the intervals that it lacks. */
export type Lane = {
  readonly name: string;
  readonly candles: readonly DrawnCandle[];
  readonly missing: readonly PlacedSlot[];
  /** Word for a missing candle: `missing`, `unreadable`. */
  readonly lack?: string;
};

const sheet = { ...drawing, side: 4, name: 17, plot: 52, foot: 34 } as const;

const maxColumns = 20;

/** A time of the axis; `jump` is the seconds since the end of the one before it, 0 where they join. */
type Column = { readonly start: number; readonly x: number; readonly jump: number };

/**
 * Draws answers one above the other on one time axis. A missing candle is a dashed slot with its time; two candles of
 * one interval are side by side. `id` must be unique in the page.
 */
export function lanesSvg(lanes: readonly Lane[], sentence: string, id: string): Markup {
  const { columns, width, length } = layOutColumns(lanes);
  const height = lanes.length * (sheet.name + sheet.plot) + sheet.foot;
  return markup`<svg class="candles lanes" viewBox="0 0 ${sheet.width} ${height}" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text">
<title id="${id}-title">Candles of each answer on one time axis</title><desc id="${id}-text">${sentence}</desc>
${lanes.map((lane, index) => drawLane(lane, columns, width, index * (sheet.name + sheet.plot)))}${timeLabels(lanes, columns, width, length, height - sheet.foot)}</svg>`;
}

function layOutColumns(lanes: readonly Lane[]): { columns: Column[]; width: number; length: number } {
  const all = lanes.flatMap(({ candles, missing }) => [...candles, ...missing].map(({ start }) => start));
  const starts = [...new Set(all)].sort((a, b) => a - b);
  const marked = lanes.flatMap(markedStarts).sort((a, b) => a - b);
  const before = Math.max(4, (maxColumns - marked.length) >> 1);
  const first = starts.indexOf(marked[0] ?? starts[0] ?? 0) - before;
  const from = Math.max(0, Math.min(first, starts.length - maxColumns));
  const shown = starts.slice(from, from + maxColumns);
  const steps = shown.slice(1).map((start, index) => start - (shown[index] ?? start));
  const length = Math.min(...steps);
  const width = Math.min(36, (sheet.width - 2 * sheet.side) / shown.length);
  const columns = shown.map((start, index) => ({
    start,
    x: sheet.side + (index + 0.5) * width,
    jump: Math.max(0, (steps[index - 1] ?? length) - length),
  }));
  return { columns, width, length };
}

/** Lists the starts that a lane is about: of missing candles, and of intervals with several. */
function markedStarts({ candles, missing }: Lane): number[] {
  return [...missing, ...findRepeated(candles)].map(({ start }) => start);
}

/** Returns the candles whose interval an earlier one already has. */
export function findRepeated(candles: readonly DrawnCandle[]): DrawnCandle[] {
  return candles.filter(({ start }, index) => candles.findIndex((candle) => candle.start === start) < index);
}

function drawLane(lane: Lane, columns: readonly Column[], width: number, top: number): Markup {
  const scale = chooseScale(lane.candles.flatMap(listPrices));
  const foot = top + sheet.name + sheet.plot;
  const slots = columns.map((column) => drawSlot(lane, column, width, top + sheet.name, scale));
  const breaks = columns.filter(({ jump }) => jump > 0);
  return markup`<g><text class="lane-name" x="${sheet.side}" y="${top + 12}">${lane.name}</text><path class="base" d="M${sheet.side} ${foot}H${sheet.width - sheet.side}"/>${breaks.map(({ x, jump }) => markup`<path class="gap" d="M${unit(x - width / 2)} ${top + sheet.name}V${foot}"/><text class="gap-name" x="${unit(x - width / 2)}" y="${top + sheet.name - 2}">${roughText(1000 * jump)}</text>`)}${slots}</g>`;
}

function drawSlot(lane: Lane, { start, x }: Column, width: number, top: number, scale: Scale): Markup {
  const candles = lane.candles.filter((candle) => candle.start === start);
  const lost = lane.missing.find((missingSlot) => missingSlot.start === start);
  const box = new Markup(
    `x="${unit(x - width / 2 + 0.8)}" y="${top}" width="${unit(width - 1.6)}" height="${sheet.plot - 2}"`,
  );
  if (lost && candles.length === 0)
    return markup`<rect class="lost" ${box}${candleId(lost)}><title>${formatMinute(start)} UTC is ${lane.lack ?? 'missing'}</title></rect>`;
  const step = width / Math.max(1, candles.length);
  const y = (price: number): number => top + (1 - placeOn(scale, price).at) * (sheet.plot - 4);
  return markup`${candles.length > 1 && markup`<rect class="band" ${box}/>`}${candles.map((candle, index) => candleShape(candle, x - width / 2 + (index + 0.5) * step, Math.min(14, step * 0.6), y))}`;
}

/** Labels the axis, and below it missing or repeated candles with their times. */
function timeLabels(
  lanes: readonly Lane[],
  columns: readonly Column[],
  width: number,
  length: number,
  top: number,
): Markup {
  const stride = Math.ceil(timeRoom / width);
  const usual = columns.filter((_, index) => index % stride === 0);
  const lost = new Set(lanes.flatMap(({ missing }) => missing.map(({ start }) => start)));
  const marked = new Set(lanes.flatMap(markedStarts));
  const first = columns.find(({ start }) => marked.has(start));
  const lack = lanes[0]?.lack ?? 'missing';
  const time = formatMinute(first?.start ?? 0);
  const words = !lost.has(first?.start ?? 0)
    ? `${time} twice`
    : lost.size > 1
      ? `${lost.size} ${lack}, the first at ${time}`
      : `${time} ${lack}`;
  return markup`${usual.map(({ start, x }) => markup`<text class="time" x="${unit(Math.min(Math.max(x, timeRoom / 2), sheet.width - timeRoom / 2))}" y="${top + 13}">${axisLabel(start, length)}</text>`)}${first && arrowLabel(words, first.x, top + 28)}`;
}
