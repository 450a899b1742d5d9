import type { SlotRecord } from '../../results/probe-record.ts';
import type { EventRecord, Json, PinRecord, QuotaRecord } from '../../results/results-store.ts';

/** What a probe brings home from one slot: everything of its row but whose and when it was, and what belongs beside it. */
export type Look = Omit<SlotRecord, 'series' | 'scheduledAt' | 'state' | 'startedAt' | 'finishedAt'> & {
  readonly quotas: readonly QuotaRecord[];
  readonly events: readonly EventRecord[];
  readonly pins: readonly PinRecord[];
  readonly isReset: boolean;
  /** What the probe has to know at its next look, by name. */
  readonly states: Readonly<Record<string, Json>>;
  /** Of a failure: the exchange, cut to size. */
  readonly evidence?: Json;
};

export const nothingSeen = {
  rules: [],
  samples: [],
  quotas: [],
  events: [],
  pins: [],
  isReset: false,
  states: {},
} as const;
