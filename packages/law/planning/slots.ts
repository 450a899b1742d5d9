/** The share of one location in a grid: the slots whose number modulo `of` is `index`. */
export type SlotShare = { readonly index: number; readonly of: number };

const whole: SlotShare = { index: 0, of: 1 };

/** Returns whether the slot with a number belongs to the share. */
export function includesSlot({ index, of }: SlotShare, number: number): boolean {
  return (((number - index) % of) + of) % of === 0;
}

/** Counts the slots of a share whose numbers lie in [from, to). */
export function countShared({ index, of }: SlotShare, from: number, to: number): number {
  return Math.max(0, Math.ceil((to - index) / of) - Math.ceil((from - index) / of));
}

/** A repeated probe; `period` is a whole number of ms. */
export type SlotRhythm = {
  readonly id: string;
  /** Empty if several locations share one grid. */
  readonly location: string;
  readonly period: number;
  /** The whole grid by default. A slot's number counts the periods since 1970. */
  readonly share?: SlotShare;
};

/**
 * Returns the ms from each multiple of the period since 1970 (UTC) to a probe's slots: the same after every restart,
 * different for every probe and location. Throws a RangeError unless the period is a whole number above 0.
 */
export function slotOffset({ id, location, period }: SlotRhythm): number {
  if (!(Number.isSafeInteger(period) && period > 0)) {
    throw new RangeError(`the period of ${id} has to be a whole number of milliseconds, not ${period}`);
  }
  return Math.floor((hash(JSON.stringify([id, location])) / 2 ** 32) * period);
}

/** Yields the planned slots in [from, to), all in Unix ms. */
export function* slots(rhythm: SlotRhythm, from: number, to: number): Generator<number> {
  const step = spacing(rhythm);
  for (let slot = nextSlot(rhythm, from - 1); slot < to; slot += step) yield slot;
}

/** Counts the slots in [from, to). */
export function countSlots(rhythm: SlotRhythm, from: number, to: number): number {
  return Math.max(0, (nextSlot(rhythm, to - 1) - nextSlot(rhythm, from - 1)) / spacing(rhythm));
}

/** Returns the first slot later than an instant, both in Unix ms. */
export function nextSlot(rhythm: SlotRhythm, after: number): number {
  const { period, share: { index } = whole } = rhythm;
  const offset = slotOffset(rhythm) + index * period;
  const step = spacing(rhythm);
  return (Math.floor((after - offset) / step) + 1) * step + offset;
}

/** Returns the ms between two slots of a share. */
function spacing({ period, share = whole }: SlotRhythm): number {
  return period * share.of;
}

/** Hashes a text with FNV-1a and a final mix, so that similar names get distant values. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
