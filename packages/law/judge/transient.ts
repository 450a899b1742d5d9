import { operationName } from '@candleproof/document/spec/operation';
import type { Answer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import { type DueAnswer, groupProperRequests, isAnswered } from '../relations/proper-requests.ts';
import { findFirstTries } from '../rules/transport/first-tries.ts';
import type { TransientFailure } from './verdict.ts';
import { describeEnd } from './withheld.ts';

/** Instants that are named of failures alike. */
const mostInstants = 12;

/**
 * Lists the transient failures of a run, counted by operation and kind: proper requests that failed at first, or were
 * refused without a reason, and were answered when they were sent again.
 */
export function listTransients(evidence: Evidence): TransientFailure[] {
  const groups = groupProperRequests(evidence);
  const { failed, refused } = findFirstTries(evidence);
  const answered = new Set<Answer>(
    groups.filter(({ tries }) => tries.some(isAnswered)).flatMap(({ tries }) => tries),
  );
  const passed = [...failed, ...refused]
    .filter((answer) => answered.has(answer))
    .toSorted((a, b) => a.index - b.index);
  const requests = groups.flatMap((group) => group.requests);
  return [...Map.groupBy(passed, nameFailure).values()].flatMap((alike) =>
    alike.slice(0, 1).map((first) => {
      const { operation } = first.requested;
      return {
        ...{ operation, named: operationName(evidence.spec, operation), failure: describeFailure(first) },
        count: alike.length,
        of: requests.filter(({ tries: [{ requested }] }) => requested.operation === operation).length,
        ...(first.exchange.recorder?.timesUnknown ? {} : { at: listInstants(alike) }),
      };
    }),
  );
}

function nameFailure(answer: DueAnswer): string {
  return `${answer.requested.operation} ${describeFailure(answer)}`;
}

function describeFailure(answer: Answer): string {
  const { failure } = answer.exchange;
  return failure ? `${failure.kind} in phase ${failure.phase}` : describeEnd(answer);
}

function listInstants(answers: readonly Answer[]): string[] {
  return answers.slice(0, mostInstants).map(({ exchange }) => exchange.startedAt);
}
