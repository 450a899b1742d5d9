import { operationById } from '../document/operation.ts';
import type { OperationRole } from '../document/roles.ts';
import type { Operation } from '../document/spec.ts';
import type { Misshapen } from '../reading/read-body.ts';
import { type Answer, holdsSuccess } from '../reading/reading.ts';
import type { Rule } from './rule.ts';

/**
 * A check that reports the departures from openapi.yaml that `claims` picks, in the answers of these operations.
 * The schema says what the shape is; a rule only says which departures are its own.
 */
export function departuresIn(
  roles: readonly OperationRole[],
  claims: (departure: Misshapen, operation: Operation) => boolean,
): Rule['check'] {
  return function* check(evidence) {
    for (const answer of evidence.answers) {
      if (!isReadable(answer) || !roles.includes(answer.requested.role)) continue;
      yield { judged: answer };
      const operation = operationById(evidence.spec, answer.requested.operation);
      for (const departure of answer.misshapen) {
        if (claims(departure, operation)) yield { breach: { answer, ...departure } };
      }
    }
  };
}

type Readable = Answer & { readonly requested: NonNullable<Answer['requested']> };

function isReadable(answer: Answer): answer is Readable {
  return answer.requested?.proper === true && holdsSuccess(answer) && answer.broken === undefined;
}

/** The answer as a whole has the wrong form: nothing in it could be read. */
export function isWhole({ row, field }: Misshapen): boolean {
  return row === undefined && field === '';
}
