import type { DrawnCandle } from '@candleproof/law/rules/breach';
import { formatMinute, formatPrice } from '../words/format.ts';
import { arrange, findStep, placeOn, readPrice, type Scale } from './panels.ts';

export const fields = ['open', 'high', 'low', 'close', 'avg'] as const;

/** Describes the part of a candle that lies outside the scale: `avg 118.56 ↑ off the scale`. */
export function describeOffScale(candle: DrawnCandle, scale: Scale, side: -1 | 1): string | undefined {
  const off = fields.filter((field) => placeOn(scale, readPrice(candle, field)).off === side);
  if (off.length === 0) return undefined;
  const shared = off.every((field) => readPrice(candle, field) === readPrice(candle, off[0] ?? field));
  const reported = shared
    ? `${off.length > 2 ? 'all prices' : off.join(', ')} ${formatPrice(readPrice(candle, off[0] ?? 'open'))}`
    : off.length > 2
      ? `${off.length} prices ${formatPrice(Math.min(...off.map((field) => readPrice(candle, field))))} to ${formatPrice(Math.max(...off.map((field) => readPrice(candle, field))))}`
      : off.map((field) => `${field} ${formatPrice(readPrice(candle, field))}`).join(', ');
  return `${reported} ${side > 0 ? '↑' : '↓'} off the scale`;
}

/** Returns whether a drawing of these candles has to hold a price at its edge. */
export function hasOffScale(candles: readonly DrawnCandle[]): boolean {
  return arrange(candles).some(({ slots, scale }) =>
    slots.some(({ candle }) => fields.some((field) => placeOn(scale, readPrice(candle, field)).off !== 0)),
  );
}

/** `2025-11-12 13:00 to 14:00 UTC`. */
export function formatSpan(start: number, end: number): string {
  const [from, to] = [formatMinute(start), formatMinute(end)];
  const isSameDay = from.slice(0, 11) === to.slice(0, 11);
  return `${from} to ${isSameDay ? to.slice(11) : to} UTC`;
}

/** Describes all candles in one sentence, for readers who do not see the drawing. */
export function describeCandles(candles: readonly DrawnCandle[]): string {
  const start = Math.min(...candles.map((candle) => candle.start));
  const end = Math.max(...candles.map((candle) => candle.end));
  const reported = candles
    .filter((candle) => candle.offending)
    .map((candle) => `the one in question: ${describeCandle(candle)}`);
  const count = candles.length === 1 ? '1 candle' : `${candles.length} candles`;
  return [`${count} from ${formatSpan(start, end)}`, describeStep(candles) ?? [], ...reported.slice(0, 3)]
    .flat()
    .join('; ');
}

/** `the price steps from 0.048 to 20.8 (× 433) at 2025-11-12 13:00 UTC`; undefined for a series without a step. */
export function describeStep(candles: readonly DrawnCandle[]): string | undefined {
  const step = findStep(candles);
  if (!step) return undefined;
  const [from, to] = [step.before.close, step.after.open];
  const factor = Math.max(from / to, to / from);
  return `the price steps from ${formatPrice(from)} to ${formatPrice(to)} (${to > from ? '×' : '÷'} ${formatPrice(Number(factor.toPrecision(3)))}) at ${formatMinute(step.after.start)} UTC`;
}

/** Describes a candle in one line: its span and its prices. */
export function describeCandle(candle: DrawnCandle): string {
  const given = fields.filter((field) => !Number.isNaN(readPrice(candle, field)));
  const prices = given.map((field) => `${field} ${formatPrice(readPrice(candle, field))}`).join(', ');
  return `${formatSpan(candle.start, candle.end)}, ${prices}`;
}
