import type { Json } from '../results/results-store.ts';
import type { EngineState } from './alert-engine.ts';
import type { BurnState } from './burn.ts';
import type { CoverageState } from './coverage.ts';

/** The name under which the store keeps open alerts and what their sources remember. */
export const alertsState = 'alerts';

export type AlertsState = {
  readonly engine: EngineState;
  /** By target and indicator. */
  readonly burns: Readonly<Record<string, BurnState>>;
  /** By target. */
  readonly coverage: Readonly<Record<string, CoverageState>>;
  readonly certificates: Readonly<Record<string, number>>;
};

/** @throws Error if the state was written by another version */
export function readAlertsState(state: Json | undefined): AlertsState | undefined {
  if (state === undefined) return undefined;
  if (state !== null && typeof state === 'object' && 'engine' in state && 'burns' in state)
    return state as unknown as AlertsState;
  throw new Error(
    `the results store's state "${alertsState}" cannot be read: another version wrote it; start on a new data folder`,
  );
}
