/** What is requested again and again: by whom, from where, and every how many milliseconds (a whole number). */
export type SlotRhythm = { readonly id: string; readonly location: string; readonly period: number };

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
  for (let slot = nextSlot(rhythm, from - 1); slot < to; slot += rhythm.period) yield slot;
}

/** How many slots lie in [from, to). */
export function countSlots(rhythm: SlotRhythm, from: number, to: number): number {
  return Math.max(0, (nextSlot(rhythm, to - 1) - nextSlot(rhythm, from - 1)) / rhythm.period);
}

/** The first slot later than an instant, both in Unix ms. */
export function nextSlot(rhythm: SlotRhythm, after: number): number {
  const offset = offsetOf(rhythm);
  return (Math.floor((after - offset) / rhythm.period) + 1) * rhythm.period + offset;
}

/** What one look at the clock finds: the slot to run now, if any, and those that nobody ran in time. */
export type Due = { readonly run?: number; readonly missed: readonly number[] };

/**
 * The slots in (since, now]. Only the last may run, and only while it is at most `tolerance` ms late: after a pause
 * nothing is caught up. Look again with `now` as `since`, and each slot is named exactly once.
 */
export function dueSlots(rhythm: SlotRhythm, since: number, now: number, tolerance: number): Due {
  const missed = [...slots(rhythm, since + 1, now + 1)];
  const last = missed.at(-1);
  if (last === undefined || now - last > tolerance) return { missed };
  return { run: last, missed: missed.slice(0, -1) };
}

/** FNV-1a with a last stir, so that names that differ by one letter lie far apart. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
