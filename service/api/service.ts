import type { Soon } from '../soon.ts';
import type { Network } from '../store/accounts.ts';
import type { Store } from '../store/store.ts';
import type { Pacing } from './admission/pacing.ts';
import type { QuotaCalendar } from './admission/quota.ts';
import type { WrongKeys } from './admission/wrong-keys.ts';
import type { Choices } from './choices.ts';
import type { ClosedRows } from './closed-rows.ts';
import type { Distortion } from './distortion.ts';
import type { KeptAnswers } from './kept-answers.ts';

/** Structured logging as pino does it; no key ever reaches it. */
export type Logger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Where the market's future comes from; instants in Unix seconds. */
export type LiveMarket = {
  /** Adds what happened up to `now`; on data that was brought in, nothing. */
  extendTo(now: number): Soon<void>;
  /** Begins the network anew at `now`: the same pools, without any history. NotSimulated on data that was brought in. */
  reset(now: number): Soon<void>;
};

/** What every answer is made from. */
export type Service = {
  readonly store: Store;
  readonly network: Network;
  readonly market: LiveMarket;
  /** Texts of closed rows, kept between requests. */
  readonly closedRows: ClosedRows;
  readonly keptAnswers: KeptAnswers;
  readonly quotaCalendar: QuotaCalendar;
  readonly bursts: Pacing;
  readonly wrongKeys: WrongKeys;
  readonly choices: Choices;
  /** Those in force just now; they may be switched between requests. */
  readonly distortions: () => readonly Distortion[];
  readonly logger: Logger;
  /** Milliseconds. */
  readonly clock: () => number;
};
