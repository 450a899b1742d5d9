import type { SlotShare } from './slot-share.ts';

/** What is requested again and again: by whom, from where, and every how many milliseconds (a whole number). */
export type SlotRhythm = {
  readonly id: string;
  /** Empty where several locations share one grid. */
  readonly location: string;
  readonly period: number;
  /** Of that grid; all of it where left out. A slot's number is that of the periods since 1970. */
  readonly share?: SlotShare;
};

/**
 * Milliseconds after each multiple of the period since 1970 (UTC) at which a probe's slots lie: the same after every
 * restart, different for each probe and location. Throws a RangeError for a period that is no whole number above 0.
 */
export function offsetOf({ id, location, period }: SlotRhythm): number {
  if (!(Number.isSafeInteger(period) && period > 0)) {
    throw new RangeError(`the period of ${id} has to be a whole number of milliseconds, not ${period}`);
  }
  return Math.floor((hash(JSON.stringify([id, location])) / 2 ** 32) * period);
}

/** The planned slots in [from, to), all in Unix ms. */
export function* slots(rhythm: SlotRhythm, from: number, to: number): Generator<number> {
  const step = stepOf(rhythm);
  for (let slot = nextSlot(rhythm, from - 1); slot < to; slot += step) yield slot;
}

/** How many slots lie in [from, to). */
export function countSlots(rhythm: SlotRhythm, from: number, to: number): number {
  if (rhythm.share?.of === 0) return 0;
  return Math.max(0, (nextSlot(rhythm, to - 1) - nextSlot(rhythm, from - 1)) / stepOf(rhythm));
}

/** The first slot later than an instant, both in Unix ms; Infinity for somebody without a share. */
export function nextSlot(rhythm: SlotRhythm, after: number): number {
  const { period, share: { index, of } = whole } = rhythm;
  if (of === 0) return Infinity;
  const offset = offsetOf(rhythm) + index * period;
  const step = stepOf(rhythm);
  return (Math.floor((after - offset) / step) + 1) * step + offset;
}

const whole: SlotShare = { index: 0, of: 1 };

/** Milliseconds between two slots of one's own. */
function stepOf({ period, share = whole }: SlotRhythm): number {
  return period * share.of;
}

/** FNV-1a with a last stir, so that names that differ by one letter lie far apart. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
