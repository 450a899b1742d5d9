import type { Requested } from '../../contract/document/requested.ts';
import type { Spec } from '../../contract/document/spec.ts';
import type { HeardExchange, WholeExchange } from '../heard.ts';
import type { CommandEnd } from '../playing/command.ts';
import type { TroubleSpan } from '../scenarios/trouble.ts';

/** One scenario as it was played: all that a rule may know. Times in milliseconds since the client was started. */
export type Play = {
  readonly spec: Spec;
  /** In the order of arrival. */
  readonly exchanges: readonly HeardExchange[];
  /** What each exchange requested, by its number; of none of the document's operations where it is missing. */
  readonly requested: ReadonlyMap<number, Requested>;
  /** Unix milliseconds when the client was started. */
  readonly epoch: number;
  readonly trouble?: TroubleSpan;
  /** The scenario has a trouble, and it did not come about. */
  readonly isUnmet: boolean;
  /** The first answer that held wrong data. */
  readonly wrong?: WholeExchange;
  readonly end: CommandEnd;
  /** When the client ended, or was cut off. */
  readonly ended: number;
  /** The client is to stay within its month. */
  readonly noOverage: boolean;
  /** Longest silence (ms) between two requests of the control, where it was played. */
  readonly pace?: number;
};
