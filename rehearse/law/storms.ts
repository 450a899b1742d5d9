import { type HeardExchange, isAnswered, isGood, type WholeExchange } from '../heard.ts';
import type { ClientBreach } from './client-rule.ts';
import { wasInFlight } from './in-flight.ts';

/** At most so many requests within so many milliseconds. */
type Bound = { readonly most: number; readonly withinMs: number };

/** Of one and the same request, and of all together. */
export const bounds = {
  same: [
    { most: 5, withinMs: 1000 },
    { most: 15, withinMs: 10_000 },
  ],
  all: [
    { most: 20, withinMs: 1000 },
    { most: 60, withinMs: 10_000 },
  ],
} as const satisfies Record<string, readonly Bound[]>;

export const boundsInWords =
  'After a failure and before the next good answer: of the same method, path and query at most 5 in any second and 15 in any ten; of all together at most 20 and 60. Requests that were in flight when the failure left are left alone.';

/** Requests that were sent in knowledge of a failure, until one is answered well again. */
export function followUps(
  exchanges: readonly HeardExchange[],
  isFailure: (exchange: HeardExchange) => boolean,
): HeardExchange[][] {
  const ends = exchanges.filter(isAnswered).toSorted((one, other) => one.ended - other.ended);
  const stretches: HeardExchange[][] = [];
  let failure: WholeExchange | undefined;
  for (const end of ends) {
    if (failure && isGood(end)) {
      stretches.push(between(exchanges, failure, end.ended));
      failure = undefined;
    } else if (isFailure(end)) failure ??= end;
  }
  return failure ? [...stretches, between(exchanges, failure, Number.POSITIVE_INFINITY)] : stretches;
}

function between(
  exchanges: readonly HeardExchange[],
  failure: WholeExchange,
  until: number,
): HeardExchange[] {
  return exchanges.filter((exchange) => exchange.arrived < until && !wasInFlight(exchange, failure));
}

/** The first request that is one too many. */
export function stormIn(stretch: readonly HeardExchange[]): ClientBreach | undefined {
  const lines = Map.groupBy(stretch, ({ method, target }) => `${method} ${target}`);
  for (const requests of lines.values()) {
    const found = beyond(requests, bounds.same, 'of the same request');
    if (found) return found;
  }
  return beyond(stretch, bounds.all, 'of all requests');
}

function beyond(
  requests: readonly HeardExchange[],
  limits: readonly Bound[],
  which: string,
): ClientBreach | undefined {
  for (const { most, withinMs } of limits) {
    const at = requests.findIndex(
      (request, index) =>
        index >= most && request.arrived - (requests[index - most]?.arrived ?? 0) < withinMs,
    );
    const [exchange, first] = [requests[at], requests[at - most]];
    if (!exchange || !first) continue;
    const within = requests.filter(
      (request) => request.arrived >= first.arrived && request.arrived < first.arrived + withinMs,
    );
    return {
      exchange,
      since: first,
      expected: `at most ${most} ${which} in ${withinMs / 1000} s while they fail`,
      actual: `${within.length} in ${withinMs / 1000} s`,
    };
  }
  return undefined;
}
