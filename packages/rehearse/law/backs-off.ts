import { type ClientExchange, isAnswered, isGood, type WholeExchange } from '../client-exchange.ts';
import type { Play } from './client-rule.ts';
import { type CheckResult, type ClientBreach, type ClientRule, wasInFlight } from './client-rule.ts';

type Bound = { readonly most: number; readonly withinMs: number };

/** Bounds for equal requests, and for all requests together. */
const bounds = {
  same: [
    { most: 5, withinMs: 1000 },
    { most: 15, withinMs: 10000 },
  ],
  all: [
    { most: 20, withinMs: 1000 },
    { most: 60, withinMs: 10000 },
  ],
} as const satisfies Record<string, readonly Bound[]>;

const boundsText =
  'After a failure and before the next good answer: of the same method, path and query at most 5 in any second and 15 in any ten; of all together at most 20 and 60. Requests that were in flight when the failure left are left alone.';

/** Returns a check that no storm follows failures of a kind. */
function noStormAfter(isFailure: (exchange: ClientExchange) => boolean, none: string): ClientRule['check'] {
  return function* check({ exchanges }: Play): Generator<CheckResult> {
    const failures = exchanges.filter(isFailure);
    if (failures.length === 0) yield { undecided: none };
    const storms = findFollowUps(exchanges, isFailure).flatMap((stretch) => findStorm(stretch) ?? []);
    for (const breach of storms) yield { breach };
    if (storms.length === 0) for (const judged of failures) yield { judged };
  };
}

export const backsOffFromServerErrors: ClientRule = {
  id: 'client/backs-off-from-server-errors',
  level: 'must',
  statement: 'While the service fails, the client does not storm it.',
  why: 'A service that comes back is brought down again by all who retry at once.',
  exactly: `A failure is a status of 500 or more. ${boundsText}`,
  check: noStormAfter(({ status }) => status >= 500, 'no answer was a server error'),
};

export const easesOffWhenItsKeyIsRefused: ClientRule = {
  id: 'client/eases-off-when-its-key-is-refused',
  level: 'should',
  statement: 'While its key is refused, the client does not try it over and over.',
  why: 'Many wrong keys slow down or block the address they come from.',
  exactly: `A refusal is 401 or 403. ${boundsText}`,
  check: noStormAfter(({ status }) => status === 401 || status === 403, 'the key was not refused'),
};

/** Returns the requests sent after a failure was known, up to the next good answer, for every failure. */
function findFollowUps(
  exchanges: readonly ClientExchange[],
  isFailure: (exchange: ClientExchange) => boolean,
): ClientExchange[][] {
  const ends = exchanges.filter(isAnswered).toSorted((one, other) => one.ended - other.ended);
  const stretches: ClientExchange[][] = [];
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
  exchanges: readonly ClientExchange[],
  failure: WholeExchange,
  until: number,
): ClientExchange[] {
  return exchanges.filter((exchange) => exchange.arrived < until && !wasInFlight(exchange, failure));
}

/** Returns the breach of the first request beyond a bound. */
function findStorm(stretch: readonly ClientExchange[]): ClientBreach | undefined {
  const lines = Map.groupBy(stretch, ({ method, target }) => `${method} ${target}`);
  for (const requests of lines.values()) {
    const found = findExcess(requests, bounds.same, 'of the same request');
    if (found) return found;
  }
  return findExcess(stretch, bounds.all, 'of all requests');
}

function findExcess(
  requests: readonly ClientExchange[],
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
