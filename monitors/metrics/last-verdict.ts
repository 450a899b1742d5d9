import type { Timings } from '@candleproof/law/reading/exchange';
import { hour } from '../results/calendar.ts';
import type { ProbeSample, ProbeSeries, SlotRecord } from '../results/probe-record.ts';
import type { ResultsStore } from '../results/results-store.ts';

/** Spans in which the last slot of a series is searched at a start, in growing steps. */
const windows = [hour, 24 * hour, 72 * hour];

/** The last conclusive slot. */
export type LastVerdict = {
  readonly isGood: boolean;
  readonly durationMs?: number;
  /** Timings of its first request. */
  readonly timings?: Timings;
  /** The first status that is no success; 0 without an answer. */
  readonly status?: number;
};

/** Returns the verdict of a slot; undefined if it shows nothing about the service. */
export function verdictFrom({
  series,
  state,
  outcome,
  samples,
  startedAt,
  finishedAt,
}: SlotRecord): LastVerdict | undefined {
  // A slot that shares the failure of a run adds nothing.
  if (state !== 'run') return undefined;
  if (outcome !== 'ok' && outcome !== 'degraded' && outcome !== 'failed') return undefined;
  const scheduled = samples.filter(({ confirming }) => !confirming);
  const timings = (scheduled.find(({ cold }) => cold) ?? scheduled[0])?.timings;
  // A deep run also sends requests that are to be refused.
  const status = series.operation === 'all' ? undefined : httpStatus(scheduled);
  const durationMs = Math.max(0, (finishedAt ?? 0) - (startedAt ?? 0));
  return {
    isGood: outcome !== 'failed',
    ...(startedAt !== undefined && finishedAt !== undefined && { durationMs }),
    ...(timings && { timings }),
    status,
  };
}

function httpStatus(samples: readonly ProbeSample[]): number | undefined {
  const all = samples.map(({ status }) => status ?? 0);
  return all.find((status) => status < 200 || status > 299) ?? all[0];
}

/** Returns slots up to the newest verdict. Searches further back only for series with rare slots. */
export async function newestSlots(
  store: ResultsStore,
  series: ProbeSeries,
  now: number,
): Promise<readonly SlotRecord[]> {
  let to = now + 1;
  for (const length of windows) {
    const slots = await store.slots({ from: now - length, to }, series);
    if (slots.some((slot) => verdictFrom(slot))) return slots;
    to = now - length;
  }
  return [];
}
