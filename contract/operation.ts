import type { Operation, Spec } from './spec.ts';
import { SpecError } from './spec-error.ts';
import type { OperationId } from './verdict.ts';

/** The operation with this id; the spec always holds the three. */
export function operationOf(spec: Spec, id: OperationId): Operation {
  const found = spec.operations.find((each) => each.id === id);
  if (!found) throw new SpecError(`${spec.file}: no operation is called ${id}; add its operationId`);
  return found;
}
