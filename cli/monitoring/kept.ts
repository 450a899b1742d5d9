import { type MonitorPlan, monthDays } from '../../monitors/plan/plan.ts';
import type { Json, Retention, StoreSize } from '../../results/results-store.ts';
import type { MonitorSettings } from '../config/monitoring.ts';

const day = 86_400_000;

/** Under what name the store keeps its retention, for anyone who asks how large it will be. */
export const keepName = 'keep';

export function retentionOf({ keep: { raw, hours } }: MonitorSettings): Retention {
  return { keepRawDays: raw / day, keepHoursDays: hours / day };
}

/** What the monitors of a store bring in a day, by their plan. */
export type PlannedPace = Pick<StoreSize, 'series' | 'slotsPerDay' | 'requestsPerDay'>;

export function paceOf({ probes }: MonitorPlan): PlannedPace {
  const inDay = (each: 'slots' | 'requests'): number =>
    probes.reduce((sum, probe) => sum + probe[each], 0) / monthDays;
  return { series: probes.length, slotsPerDay: inDay('slots'), requestsPerDay: inDay('requests') };
}

/** The pace of the last monitor on a store; undefined where none ran by a plan. */
export function plannedPace(state: Json | undefined): PlannedPace | undefined {
  const { pace } = (state ?? {}) as { readonly pace?: PlannedPace };
  return pace;
}

/** How many days slots are kept whole, as the last monitor on a store had it; undefined where none ran. */
export function keptRawDays(state: Json | undefined): number | undefined {
  const { keepRawDays } = (state ?? {}) as Partial<Retention>;
  return typeof keepRawDays === 'number' ? keepRawDays : undefined;
}
