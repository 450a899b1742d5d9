import type { Simulation } from '../market/simulation.ts';
import type { Store } from '../store/store.ts';
import type { Choices } from './choices.ts';
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
  readonly simulation: Simulation;
  readonly choices: Choices;
  /** Those in force just now; they may be switched between requests. */
  readonly distortions: () => readonly Distortion[];
  readonly logger: Logger;
  /** Milliseconds. */
  readonly clock: () => number;
};
