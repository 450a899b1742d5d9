import { type HeldMonth, SAMPLES_FROM } from '../store/market-change.ts';
import type { Store } from '../store/store.ts';
import { refuseSimulated } from './simulated-store.ts';

/** What goes, or went, with the observations of before a month: their candles stay. */
export type DroppedMonths = { readonly months: readonly HeldMonth[]; readonly isDone: boolean };

/**
 * Drops the observations of before an instant (Unix seconds), the first of a month in UTC, for good: what comes of them
 * later is refused. On trial it only tells what would go. Throws SimulatedStore, or what the database does.
 */
export async function dropBefore(store: Store, instant: number, isTrial: boolean): Promise<DroppedMonths> {
  await refuseSimulated(store);
  const months = await store.heldBefore(instant);
  if (isTrial) return { months, isDone: false };
  await store.change(({ facts }) => {
    const from = Math.max(instant, facts.get(SAMPLES_FROM) ?? instant);
    return { dropBefore: instant, facts: { [SAMPLES_FROM]: from } };
  });
  return { months, isDone: true };
}
