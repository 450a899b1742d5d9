import type { Json } from '../../results/results-store.ts';
import type { Retention } from '../../results/sqlite/tidying.ts';
import type { MonitorSettings } from '../config/monitoring.ts';

const day = 86_400_000;

/** Under what name the store keeps its retention, for whoever asks how large it will be. */
export const keepName = 'keep';

export function retentionOf({ keep: { raw, hours } }: MonitorSettings): Retention {
  return { keepRawDays: raw / day, keepHoursDays: hours / day };
}

/** How many days slots are kept whole, as the last monitor on a store had it; undefined where none ran. */
export function keptRawDays(state: Json | undefined): number | undefined {
  const { keepRawDays } = (state ?? {}) as Partial<Retention>;
  return typeof keepRawDays === 'number' ? keepRawDays : undefined;
}
