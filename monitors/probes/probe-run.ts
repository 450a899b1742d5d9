import type { SlotRecord } from '../results/probe-record.ts';
import type { EventRecord, Json, PinRecord, QuotaRecord } from '../results/results-store.ts';

/** The result of a probe for one slot: its row without the series and the instants, and what is written beside it. */
export type ProbeRun = Omit<SlotRecord, 'series' | 'scheduledAt' | 'state' | 'startedAt' | 'finishedAt'> & {
  readonly quotas: readonly QuotaRecord[];
  readonly events: readonly EventRecord[];
  readonly pins: readonly PinRecord[];
  readonly isReset: boolean;
  /** States that the probe needs at its next slot, by name. */
  readonly states: Readonly<Record<string, Json>>;
  /** The exchange of a failure, cut to size. */
  readonly evidence?: Json;
};

export const emptyRun = {
  rules: [],
  samples: [],
  quotas: [],
  events: [],
  pins: [],
  isReset: false,
  states: {},
} as const;
