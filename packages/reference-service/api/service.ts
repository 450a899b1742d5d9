import type { Soon } from '../soon.ts';
import type { Network } from '../store/accounts.ts';
import type { Store } from '../store/store.ts';
import type { Pacing, WrongKeys } from './admission/pacing.ts';
import type { QuotaCalendar } from './admission/quota.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Choices } from './choices.ts';
import type { ClosedRows } from './closed-rows.ts';
import type { Distortion } from './distortion.ts';

/** Structured logging in pino's form. Never receives a key. */
export type Logger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** The market's continuation; times in Unix seconds. */
export type LiveMarket = {
  /** Adds data up to `now`. Does nothing on ingested data. */
  extendTo(now: number): Soon<void>;
  /** Restarts the network at `now`: the same pools without history. Throws NotSimulated on ingested data. */
  reset(now: number): Soon<void>;
};

/** The parts that every answer uses. */
export type Service = {
  readonly store: Store;
  readonly network: Network;
  readonly market: LiveMarket;
  /** Cached texts of closed rows. */
  readonly closedRows: ClosedRows;
  readonly answerCache: AnswerCache;
  readonly quotaCalendar: QuotaCalendar;
  readonly bursts: Pacing;
  readonly wrongKeys: WrongKeys;
  readonly choices: Choices;
  /** The distortions in effect; they can change between requests. */
  readonly distortions: () => readonly Distortion[];
  readonly logger: Logger;
  /** Milliseconds. */
  readonly clock: () => number;
};
