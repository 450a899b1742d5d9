import { performance } from 'node:perf_hooks';
import type { TransportFailure } from '../contract/reading/exchange.ts';

/** Why an exchange that passed was not judged; none of them is the target's fault. */
export const reasonsUnjudged = [
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

/** An exchange as it stood on the wire, with its secrets: it is kept nowhere in this form. */
export type PassedExchange = {
  readonly method: string;
  /** Path and query below the base URL, from the slash. */
  readonly path: string;
  /** Names and values in turn. */
  readonly requestLines: readonly string[];
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly responseLines: readonly string[];
  readonly body: Uint8Array<ArrayBuffer>;
  /** The body's content codings were undone by a client of HTTP before we saw it. */
  readonly isDecoded?: true;
  readonly failure?: TransportFailure;
  readonly span: TimeSpan;
};

/** Unix ms at which a request began, by a clock that never runs backwards, and ms until its answer had ended. */
export type TimeSpan = { readonly startedAt: number; readonly totalMs: number };

/** Observes passing traffic, without delaying or changing it. */
export type Onlooker = {
  /** Room for the copy of one body, or why there is none at the moment. */
  copy(): BodyCopying | ReasonUnjudged;
  take(exchange: PassedExchange): void;
  miss(reason: ReasonUnjudged, span: TimeSpan): void;
};

export type BodyCopying = {
  /** False where no more of it is wanted. */
  add(chunk: Uint8Array): boolean;
  /** The bytes, or why there are none. The room stays taken until they were judged. */
  end(): Uint8Array<ArrayBuffer> | ReasonUnjudged;
  drop(): void;
};

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
