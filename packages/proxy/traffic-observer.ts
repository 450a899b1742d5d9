import { performance } from 'node:perf_hooks';
import type { TransportFailure } from '@candleproof/law/reading/exchange';

/** Reasons why an exchange was not judged; none of them is the target's fault. */
const reasonsUnjudged = [
  'overload',
  'judge ended',
  'too large',
  'client left',
  'no answer',
  'own conditions',
  'unknown coding',
  'other path',
] as const;

export type ReasonUnjudged = (typeof reasonsUnjudged)[number];

/** An exchange as sent on the wire, with its secrets; it is not stored in this form. */
export type PassedExchange = {
  readonly method: string;
  /** Path and query below the base URL, from the slash. */
  readonly path: string;
  /** Names and values, alternating. */
  readonly requestLines: readonly string[];
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly responseLines: readonly string[];
  readonly body: Uint8Array<ArrayBuffer>;
  /** An HTTP client undid the body's content codings before we received it. */
  readonly isDecoded?: true;
  readonly failure?: TransportFailure;
  readonly span: TimeSpan;
};

/** Unix ms at which a request began, by a clock that never runs backwards, and ms until its answer ended. */
export type TimeSpan = { readonly startedAt: number; readonly totalMs: number };

/** Observes passing traffic, without delaying or changing it. */
export type TrafficObserver = {
  /** Returns memory for the copy of one body, or the reason why there is none. */
  copy(): BodyCopying | ReasonUnjudged;
  take(exchange: PassedExchange): void;
  miss(reason: ReasonUnjudged, span: TimeSpan): void;
};

export type BodyCopying = {
  /** Adds a chunk; returns false if no more are wanted. */
  add(chunk: Uint8Array): boolean;
  /** Returns the bytes, or the reason why there are none. The memory stays reserved until they are judged. */
  end(): Uint8Array<ArrayBuffer> | ReasonUnjudged;
  drop(): void;
};

/** A larger drift in ms means that the machine slept or its clock was set. */
const mostDrift = 1000;

/**
 * Times exchanges so that overlaps stay visible: starts are rounded down to whole milliseconds, as in recordings, and
 * the duration counts from there.
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
