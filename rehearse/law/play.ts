import type { Spec } from '../../contract/document/spec.ts';
import type { Requested } from '../../contract/reading/requested.ts';
import type { ClientExchange, WholeExchange } from '../client-exchange.ts';
import type { CommandEnd } from '../playing/command.ts';
import type { TroubleSpan } from '../scenarios/trouble.ts';

/** A played scenario, as rules see it. Times are milliseconds since the client was started. */
export type Play = {
  readonly spec: Spec;
  /** Ordered by arrival. */
  readonly exchanges: readonly ClientExchange[];
  /** The request of every exchange by number; missing if it is not one of the document's operations. */
  readonly requested: ReadonlyMap<number, Requested>;
  /** Start of the client in Unix milliseconds. */
  readonly epoch: number;
  readonly trouble?: TroubleSpan;
  /** True if the scenario's trouble did not occur. */
  readonly isUnmet: boolean;
  /** The first answer with wrong data. */
  readonly wrong?: WholeExchange;
  readonly end: CommandEnd;
  /** Time at which the client ended or was cut off. */
  readonly ended: number;
  /** True if the client must stay within its monthly quota. */
  readonly noOverage: boolean;
  /** Longest pause (ms) between requests in the control, if it was played. */
  readonly pace?: number;
};
