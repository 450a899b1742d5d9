import { uptime } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** The time of a monitor: a wall clock for slots, a steady one for durations. All in ms. */
export type Clock = {
  now(): number;
  steady(): number;
  /** Steady too, but rougher, and it goes on while the machine sleeps. */
  uptime(): number;
  /** Rejects when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const machineClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  uptime: () => uptime() * 1000,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};
