import { operationById } from '../document/operation.ts';
import type { OperationRole } from '../document/roles.ts';
import type { Operation } from '../document/spec.ts';
import type { Misshapen } from '../reading/read-body.ts';
import { type Answer, holdsSuccess } from '../reading/reading.ts';
import type { Rule } from './rule.ts';

/**
 * Makes a check that reports the departures from the document's schema that `claims` picks, in the answers of some
 * operations. The schema defines the shape; a rule only picks its departures.
 */
export function checkDepartures(
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

/** Tells whether the answer as a whole has the wrong form, so that nothing in it could be read. */
export function concernsWhole({ row, field }: Misshapen): boolean {
  return row === undefined && field === '';
}
