import type { OperationRole } from './document/roles.ts';
import type { Operation, Spec } from './spec.ts';
import { SpecError } from './spec-error.ts';
import type { OperationId } from './verdict.ts';

/** The first operation of this role. */
export function operationFor(spec: Spec, role: OperationRole): Operation {
  const found = spec.operations.find((each) => each.role === role);
  if (!found) throw new SpecError(`${spec.file}: no operation has x-role ${role}; add it to one`);
  return found;
}

/** The operation with this id. */
export function operationOf(spec: Spec, id: OperationId): Operation {
  const found = spec.operations.find((each) => each.id === id);
  if (!found) throw new SpecError(`${spec.file}: no operation is called ${id}; add its operationId`);
  return found;
}
