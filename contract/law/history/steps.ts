import { phaseOf } from '../../document/interval.ts';
import type { Prices } from '../candle/prices.ts';

/** Two candles whose starts are less than their length apart stand for one interval, in part at least. In seconds. */
export function isOverlap(step: number, length: number): boolean {
  return step < length;
}

/** A step that is no whole number of intervals. */
export function isUneven(step: number, length: number): boolean {
  return step >= length && step % length !== 0;
}

/** A start that lies elsewhere in its interval than the others do. */
export function isOffPhase(start: number, length: number, phase: number): boolean {
  return phaseOf(start, length) !== phase;
}

/** Equal in all prices, and not for want of movement: a flat candle has nothing to tell. */
export function movesAlike(one: Prices, other: Prices): boolean {
  return (
    one.open === other.open &&
    one.close === other.close &&
    one.high !== one.low &&
    one.high === other.high &&
    one.low === other.low
  );
}

/** Digits of a volume that two intervals do not share by chance. */
const tellingDigits = 6;

export function isTellingVolume(text: string | undefined): boolean {
  return text !== undefined && text.length >= tellingDigits;
}
