import type { DrawnCandle } from '@candleproof/law/rules/breach';
import { axisLabel, sum } from '../words/format.ts';
import { type Markup, markup, unit } from '../words/markup.ts';
import { mostCommonInterval, type Panel, priceTicks } from './panels.ts';

/**
 * Units of every drawing, which is scaled to the width of its column. A narrow screen shows about a pixel for each unit, so
 * that letters must be that large in the drawing.
 */
export const sheet = { width: 300, side: 8, top: 20, plot: 98, foot: 40 } as const;

export const foot = sheet.top + sheet.plot;
export const height = foot + sheet.foot;

/** Units of a letter of the largest text. */
export const letterWidth = 6.8;
const widestSlot = 40;
const wholeWidth = 30;
const between = 10;

/** Places frames from left to right; each gets the width that its slots need, and the axis labels get the rest. */
export function layOut(panels: readonly Panel[]): ChartFrame[] {
  const ticks = panels.map(({ scale }, index) =>
    panels[index + 1]?.scale === scale ? [] : priceTicks(scale, 4),
  );
  const axes = ticks.map((tick) => Math.max(0, ...tick.map(({ label }) => label.length * letterWidth + 8)));
  const room = sheet.width - sum(axes) - between * (panels.length - 1) - sheet.side;
  const widths = share(panels, room);
  let left: number = sheet.side;
  return panels.map((panel, index) => {
    const right = left + (widths[index] ?? 0);
    const frame = placeSlots(panel, left, right, ticks[index] ?? []);
    left = right + (axes[index] ?? 0) + between;
    return frame;
  });
}

/** Shares the width: a whole needs little beside its parts, and the number of slots divides the rest. */
function share(panels: readonly Panel[], room: number): number[] {
  const isWhole = ({ label }: Panel): boolean => label === 'whole';
  const rest = room - wholeWidth * panels.filter(isWhole).length;
  const slots = sum(panels.filter((panel) => !isWhole(panel)).map(slotCount));
  return panels.map((panel) => (isWhole(panel) ? wholeWidth : (rest * slotCount(panel)) / slots));
}

/** Counts the slots of a panel; adjacent missing intervals share one. */
function slotCount({ slots }: Panel): number {
  return slots.length + slots.filter((slot) => slot.missingBefore > 0).length;
}

/**
 * A frame; `ticks` is empty if the next frame has the same scale, and the `x` of a column is the middle of its slot.
 */
export type ChartFrame = ReturnType<typeof placeSlots>;

function placeSlots(panel: Panel, left: number, right: number, ticks: ReturnType<typeof priceTicks>) {
  const slotWidth = Math.min(widestSlot, (right - left) / slotCount(panel));
  const columns: { readonly candle: DrawnCandle; readonly x: number }[] = [];
  const gaps: { readonly missing: number; readonly x: number }[] = [];
  let x = left + (right - left - slotCount(panel) * slotWidth) / 2 + slotWidth / 2;
  for (const { candle, missingBefore } of panel.slots) {
    if (missingBefore > 0) {
      gaps.push({ missing: missingBefore, x });
      x += slotWidth;
    }
    columns.push({ candle, x });
    x += slotWidth;
  }
  const { scale, label } = panel;
  return { left, right, scale, label, columns, gaps, slotWidth, ticks };
}

/** Draws a line at every tick; `y` returns the height of a value. */
export function gridLines({ left, right, ticks }: ChartFrame, y: (value: number) => number): Markup {
  const lines = ticks.map(({ price }) => `M${unit(left)} ${unit(y(price))}H${unit(right)}`);
  return markup`<path class="grid" d="${lines.join('')}"/>`;
}

/** Units that the label of a time needs. */
export const timeRoom = 38;

/** Labels the ticks beside a frame, and below it as many times as fit. */
export function axisLabels(frame: ChartFrame, y: (value: number) => number): Markup {
  const { right, ticks, columns, slotWidth } = frame;
  const length = mostCommonInterval(columns.map(({ candle }) => candle)) ?? 0;
  const stride = Math.max(1, Math.ceil(timeRoom / slotWidth));
  // The part left of the drawing would be cut off where it scrolls.
  const first = Math.max(
    0,
    columns.findIndex(({ x }) => x >= timeRoom / 2),
  );
  const times = columns.filter((_, index) => index >= first && (index - first) % stride === 0);
  return markup`${ticks.map(({ price, label }) => markup`<text class="price" x="${unit(right + 5)}" y="${unit(y(price) + 4)}">${label}</text>`)}${times.map(({ candle, x }) => markup`<text class="time" x="${unit(x)}" y="${foot + 24}">${axisLabel(candle.start, length)}</text>`)}`;
}

/** Names a frame beneath it. */
export function frameName({ left, right, label }: ChartFrame): Markup | undefined {
  if (label === undefined) return undefined;
  return markup`<text class="panel-name" x="${unit((left + right) / 2)}" y="${height - 2}">${label}</text>`;
}

/** Marks the slot of the candle in question. */
export function slotBand(x: number, slotWidth: number): Markup {
  return markup`<rect class="band" x="${unit(x - slotWidth / 2)}" y="${sheet.top}" width="${unit(slotWidth)}" height="${sheet.plot}"/><path class="pointer" d="M${unit(x)} ${foot + 1}l4 6h-8z"/>`;
}
