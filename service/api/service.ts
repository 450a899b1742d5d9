import type { Store } from '../store/store.ts';
import type { Choices } from './choices.ts';
import type { ClosedRows } from './closed-rows.ts';
import type { Distortion } from './distortion.ts';

/** Structured logging as pino does it; no key ever reaches it. */
export type Logger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** What every answer is made from. */
export type Service = {
  readonly store: Store;
  /** Adds what happened up to an instant (Unix seconds); on data that was brought in, nothing. */
  readonly simulation: { extendTo(now: number): void };
  /** Texts of closed rows, kept between requests. */
  readonly closedRows: ClosedRows;
  readonly choices: Choices;
  /** Those in force just now; they may be switched between requests. */
  readonly distortions: () => readonly Distortion[];
  readonly logger: Logger;
  /** Milliseconds. */
  readonly clock: () => number;
};
