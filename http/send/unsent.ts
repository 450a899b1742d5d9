import type { RoundTripResult } from './round-trip.ts';

/** What comes of a request that was not sent, for a reason of ours. */
export function unsent(message: string): RoundTripResult {
  return {
    failure: { phase: 'connect', kind: 'unreachable', message },
    timings: { total: 0 },
    startedAt: new Date().toISOString(),
  };
}
