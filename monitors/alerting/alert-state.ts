import type { JudgedSample } from '../../planning/burn-rate.ts';
import type { Json } from '../../results/results-store.ts';
import { jsonOf, type StandingAlert } from './message.ts';

/** Under what name the store keeps the alerts that stand. */
export const stateName = 'alerts';

/** An alert that stands with its last few samples: they may be older than what is read again at a start. */
export type KeptAlert = { readonly standing: StandingAlert; readonly newest: readonly JudgedSample[] };

/** Returns the alerts as the store keeps them. */
export function stateOf(kept: readonly KeptAlert[]): Json {
  return kept.map(jsonOf);
}

/** @throws Error where the store holds what this edition did not write */
export function readState(state: Json | undefined): readonly KeptAlert[] {
  if (state === undefined) return [];
  if (Array.isArray(state) && state.every(isKept)) return state as unknown as readonly KeptAlert[];
  throw new Error(
    `the results store's state "${stateName}" cannot be read: another edition wrote it; start on a new data folder`,
  );
}

function isKept(each: Json): boolean {
  if (each === null || typeof each !== 'object' || !('standing' in each) || !('newest' in each)) return false;
  const { standing, newest } = each;
  return standing !== null && typeof standing === 'object' && 'firing' in standing && Array.isArray(newest);
}
