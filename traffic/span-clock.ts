import { performance } from 'node:perf_hooks';
import type { TimeSpan } from './onlooker.ts';

/** Beyond this the machine slept or its clock was set, in ms. */
const mostDrift = 1000;

/**
 * Times exchanges so that what overlapped is seen to: starts are cut to whole milliseconds, as recordings have them,
 * and the time until the end counts from there.
 */
export class SpanClock {
  #origin = performance.timeOrigin;

  /** Begins a span; the result ends it. */
  begin(): () => TimeSpan {
    const now = Date.now();
    if (Math.abs(this.#now() - now) > mostDrift) this.#origin = now - performance.now();
    const startedAt = Math.floor(this.#now());
    const origin = this.#origin;
    return () => ({ startedAt, totalMs: performance.now() + origin - startedAt });
  }

  #now(): number {
    return this.#origin + performance.now();
  }
}
