import type { Store } from '../store/store.ts';
import { type HeldMonth, SAMPLES_FROM } from '../store/stored-market.ts';
import { refuseSimulated } from './ingest.ts';

/** The months whose observations are dropped, or would be. */
export type DroppedMonths = { readonly months: readonly HeldMonth[]; readonly isDone: boolean };

/**
 * Permanently drops the observations before a time (Unix seconds), the start of a month in UTC. Their candles stay, and
 * later lines of those months are refused. A trial drops nothing. Throws SimulatedStore, or what the database throws.
 */
export async function dropBefore(store: Store, instant: number, isTrial: boolean): Promise<DroppedMonths> {
  await refuseSimulated(store);
  const months = await store.listMonthsBefore(instant);
  if (isTrial) return { months, isDone: false };
  await store.change(({ facts }) => {
    const from = Math.max(instant, facts.get(SAMPLES_FROM) ?? instant);
    return { dropBefore: instant, facts: { [SAMPLES_FROM]: from } };
  });
  return { months, isDone: true };
}
