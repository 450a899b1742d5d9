import { day, hour, roundToBegin } from '../calendar.ts';
import type { SlotRecord } from '../probe-record.ts';
import type { ResultsStore } from '../results-store.ts';

const locations = ['fra-1', 'nyc-1', 'sin-1'];

/** Returns names of targets. */
export function watchedTargets(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `target-${index + 1}`);
}

/** A history that ends at `until` (Unix ms): one probe of each target from three locations, one good slot an hour. */
export type WatchedHistory = {
  readonly targets: readonly string[];
  readonly days: number;
  readonly until: number;
};

/** Writes the history a day at a time. */
export async function recordWatched(
  store: ResultsStore,
  { targets, days, until }: WatchedHistory,
): Promise<void> {
  const first = roundToBegin(until, day) - (days - 1) * day;
  for (let begin = first; begin < until; begin += day) {
    const slots: SlotRecord[] = [];
    for (let at = begin; at < Math.min(begin + day, until); at += hour)
      for (const target of targets)
        for (const location of locations) slots.push(goodSlotFrom(target, location, at));
    await store.record({ slots });
  }
}

function goodSlotFrom(target: string, location: string, scheduledAt: number): SlotRecord {
  const timings = { send: 0.2, wait: 40 + (scheduledAt % 17), receive: 1, total: 42 + (scheduledAt % 17) };
  return {
    series: { target, probe: 'candles', operation: 'listV2PoolCandles', location },
    ...{ scheduledAt, state: 'run', startedAt: scheduledAt, finishedAt: scheduledAt + 60, outcome: 'ok' },
    ...{ rules: [], slow: false, stale: false, age: 61_000 },
    samples: [
      {
        ...{ at: scheduledAt, cold: true, confirming: false, pool: 1, status: 200, timings },
        sincePlanned: timings.total,
      },
    ],
  };
}
