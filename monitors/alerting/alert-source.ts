import type { ResultsReader } from '../results/results-store.ts';
import type { Alert } from './alert.ts';
import type { BurnState } from './burn-state.ts';
import type { CoverageState } from './coverage-conditions.ts';

/** The part of a store that alerts read at a start. */
export type AlertSource = Pick<ResultsReader, 'state' | 'openIncidents'>;

/** Everything that alerts remember over a restart, as the states of a store. */
export type StoredAlerts = {
  readonly alerts: readonly Alert[];
  readonly burn: (target: string, indicator: string) => BurnState | undefined;
  readonly coverage: (target: string) => CoverageState | undefined;
  readonly certificates: Readonly<Record<string, number>>;
  /** True if another version wrote them in another form, so that they have to be written anew. */
  readonly isFormer: boolean;
};
