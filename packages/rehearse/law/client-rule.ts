import type { Spec } from '@candleproof/document/spec/spec';
import type { Requested } from '@candleproof/law/reading/requested';
import type { ClientExchange, WholeExchange } from '../client-exchange.ts';
import type { CommandEnd } from '../playing/command.ts';
import type { TroubleSpan } from '../scenarios/scenario.ts';

export type ClientBreach = {
  readonly exchange: ClientExchange;
  readonly expected: string;
  readonly actual: string;
  /** The exchange that the breach follows from, such as the refusal that was ignored. */
  readonly since?: ClientExchange;
};

/** A result of a check: a judged exchange, a breach, or the reason why nothing could be judged. */
export type CheckResult =
  | { readonly judged: ClientExchange }
  | { readonly breach: ClientBreach }
  | { readonly undecided: string };

type ClientArticle = {
  /** `client/what-holds`. */
  readonly id: string;
  /** Consequence if it is broken. */
  readonly why: string;
  /** The bound, its tolerances and its exceptions. */
  readonly exactly: string;
};

export type ClientRule = ClientArticle & {
  readonly level: 'must' | 'should';
  readonly statement: string;
  /** A pure check: the same play gives the same results. */
  readonly check: (play: Play) => Iterable<CheckResult>;
};

/** A question that is answered about a client and never fails. */
export type ClientQuestion = ClientArticle & {
  readonly question: string;
  /** Returns undefined if the play has no answer. */
  readonly answer: (play: Play) => string | undefined;
};

/** Longest transit time (ms) of a request over another connection than the answer's. */
const mostOnItsWay = 500;

/**
 * Returns whether the client may have sent the request before it knew the answer: the request arrived before the answer
 * was sent, or within half a second over another connection or for another target that waited for this connection.
 */
export function wasInFlight(request: ClientExchange, answer: WholeExchange): boolean {
  if (request.arrived <= answer.ended) return true;
  if (request.arrived > answer.ended + mostOnItsWay) return false;
  return request.connection !== answer.connection || request.target !== answer.target;
}

/** Returns the breach of a request that came too early after an answer that the client knew. */
export function makeEarlyBreach(
  exchange: ClientExchange,
  since: WholeExchange,
  expected: string,
): ClientBreach {
  const after = ((exchange.arrived - since.ended) / 1000).toFixed(2);
  return { exchange, since, expected, actual: `a request ${after} s after it` };
}

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
