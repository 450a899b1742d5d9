import { operationName } from '../document/operation.ts';
import type { Answer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import { requestKey } from '../relations/series.ts';
import type { TransientFailure } from './verdict.ts';

/** Failures on the way that were gone when the same request was made again, counted by operation and kind. */
export function transientFailures({ answers, spec }: Evidence): TransientFailure[] {
  const passed = [...Map.groupBy(answers, requestKey).values()]
    .filter((tries) => tries.some((answer) => describeFailure(answer) === undefined))
    .flatMap((tries) => tries.flatMap(named));
  const groups = Map.groupBy(passed, ({ operation, failure }) => `${operation} ${failure}`);
  return [...groups.values()].flatMap((all) =>
    all.slice(0, 1).map((failure) => ({
      ...failure,
      named: operationName(spec, failure.operation),
      count: all.length,
      of: listRequests(failure, answers),
    })),
  );
}

function listRequests(
  { operation }: Pick<TransientFailure, 'operation'>,
  answers: readonly Answer[],
): number {
  return answers.filter(({ requested }) => requested?.operation === operation).length;
}

function named(answer: Answer): Pick<TransientFailure, 'operation' | 'failure'>[] {
  const failure = describeFailure(answer);
  return failure === undefined || !answer.requested
    ? []
    : [{ operation: answer.requested.operation, failure }];
}

function describeFailure({ exchange, status }: Answer): string | undefined {
  const { failure } = exchange;
  if (failure) return `${failure.kind} in phase ${failure.phase}`;
  return status !== undefined && status >= 500 ? `status ${status}` : undefined;
}
