import { hour, minute, roundToBegin } from '../results/calendar.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import type { ResultsStore } from '../results/results-store.ts';
import { usualPairs } from './burn-rate.ts';

/** The longest window in ms; earlier slots no longer count. */
export const memoryMs = Math.max(...usualPairs.map(({ long }) => long));

/**
 * Every slot of a location that may still count, an hour at a time, so that a busy store need not fit into memory.
 * Resolves to the first instant (Unix ms) that was read: the beginning of a minute, because windows count by it.
 */
export async function recentSlots(
  store: ResultsStore,
  location: string,
  now: number,
  take: (slot: SlotRecord) => void,
): Promise<number> {
  const begin = roundToBegin(now - memoryMs, minute);
  for (let from = begin; from <= now; from += hour) {
    const span = { from, to: Math.min(from + hour, now + 1) };
    for (const slot of await store.slots(span, { location })) take(slot);
  }
  return begin;
}
