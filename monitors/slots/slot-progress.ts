import type { Probe } from '../plan/definition.ts';
import type { ProbeSeries, SlotRecord } from '../results/probe-record.ts';
import type { Json, ResultsStore } from '../results/results-store.ts';

/** The progress of a probe's slots, kept over restarts. Instants in Unix ms. */
export type SlotProgress = {
  /** Every slot up to here has its row, or is under way. */
  readonly until: number;
  /** The part of a run that skipped slots have saved. */
  readonly credit: number;
  /** The slot under way; its row is written when it ends, or by the next monitor. */
  readonly running?: { readonly slot: number; readonly startedAt: number };
};

/** The longest absence whose missed slots are reported; after a longer one a monitor starts afresh. */
const longestAbsence = 35 * 86_400_000;

/** Returns the series of a probe's slots. */
export function probeSeries(probe: Probe, location: string): ProbeSeries {
  const operation = probe.kind === 'light' ? probe.operation : 'all';
  return { target: probe.target, probe: probe.name, operation, location };
}

/** Returns the name of the state that keeps a probe's progress. */
export function progressName(id: string, location: string): string {
  return `progress ${location} ${id}`;
}

/** Returns the state that keeps a probe's progress. */
export function progressState(
  id: string,
  location: string,
  { running, ...rest }: SlotProgress,
): Record<string, Json> {
  return { [progressName(id, location)]: { ...rest, ...(running && { running }) } };
}

/** Reads the progress of a probe at the end of the last monitor; a probe that never ran begins at `now`. */
export async function readProgress(
  store: Pick<ResultsStore, 'state'>,
  id: string,
  location: string,
  now: number,
): Promise<SlotProgress> {
  const kept = (await store.state(progressName(id, location))) as SlotProgress | undefined;
  if (!kept) return { until: now, credit: 0 };
  return { ...kept, until: Math.max(kept.until, now - longestAbsence) };
}

/** Returns the record of a slot during which the monitor ended. */
export function unfinishedSlot(
  series: ProbeSeries,
  { slot, startedAt }: NonNullable<SlotProgress['running']>,
): SlotRecord {
  return {
    series,
    scheduledAt: slot,
    state: 'run',
    startedAt,
    outcome: 'unknown',
    rules: [],
    reason: 'in flight when the monitor ended',
    samples: [],
  };
}
