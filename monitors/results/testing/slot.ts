import type { ProbeSample, ProbeSeries, SlotRecord } from '../probe-record.ts';

export const series: ProbeSeries = {
  ...{ target: 'main', probe: 'latest', operation: 'getLatestV1PoolCandle' },
  ...{ location: 'fra-1' },
};

/** Returns a good slot with one request, and with the given changes. */
export function goodSlot(scheduledAt: number, changes: Partial<SlotRecord> = {}): SlotRecord {
  return {
    ...{ series, scheduledAt, state: 'run', startedAt: scheduledAt + 3, finishedAt: scheduledAt + 54 },
    ...{ outcome: 'ok', rules: [], samples: [sample(scheduledAt + 3)] },
    ...changes,
  };
}

/** Returns a sample of a good answer. */
export function sample(at: number, changes: Partial<ProbeSample> = {}): ProbeSample {
  return {
    ...{ at, cold: false, confirming: false, pool: 1, status: 200 },
    ...{ timings: { send: 0.25, wait: 49.5, receive: 1, total: 50.75 }, sincePlanned: 53.75 },
    ...changes,
  };
}
