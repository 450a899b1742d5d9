import type { JudgedSample } from '../../planning/burn-rate.ts';
import type { Json } from '../../results/results-store.ts';
import { type OpenAlert, toJson } from './message.ts';

/** The name under which the store keeps open alerts. */
export const alertsState = 'alerts';

/** An open alert with its last few samples, which may be older than the slots that are read again at a start. */
export type StoredAlert = { readonly standing: OpenAlert; readonly newest: readonly JudgedSample[] };

/** Returns the alerts as the store keeps them. */
export function serializeAlerts(kept: readonly StoredAlert[]): Json {
  return kept.map(toJson);
}

/** @throws Error if the state has another form */
export function parseAlerts(state: Json | undefined): readonly StoredAlert[] {
  if (state === undefined) return [];
  if (Array.isArray(state) && state.every(isStoredAlert)) return state as unknown as readonly StoredAlert[];
  throw new Error(
    `the results store's state "${alertsState}" cannot be read: another version wrote it; start on a new data folder`,
  );
}

function isStoredAlert(value: Json): boolean {
  if (value === null || typeof value !== 'object' || !('standing' in value) || !('newest' in value))
    return false;
  const { standing, newest } = value;
  return standing !== null && typeof standing === 'object' && 'firing' in standing && Array.isArray(newest);
}
