import type { OperationId, OperationName } from '../judge/verdict.ts';
import type { PoolId, TargetFacts } from '../reading/exchange.ts';
import { pathOf, type Requested } from './requested.ts';
import type { OperationRole } from './roles.ts';
import type { Operation, Spec } from './spec.ts';
import { SpecError } from './spec-error.ts';

/** The first operation of this role, where the document has one. */
export function firstOperation({ operations }: Spec, role: OperationRole): Operation | undefined {
  return operations.find((each) => each.role === role);
}

/** The first operation of this role, in a document that has one. */
export function operationFor(spec: Spec, role: OperationRole): Operation {
  const found = firstOperation(spec, role);
  if (!found) throw new SpecError(`${spec.file}: no operation has x-role ${role}; add it to one`);
  return found;
}

/** The operation with this id. */
export function operationOf(spec: Spec, id: OperationId): Operation {
  const found = spec.operations.find((each) => each.id === id);
  if (!found) throw new SpecError(`${spec.file}: no operation is called ${id}; add its operationId`);
  return found;
}

/** Returns `idle` where every history of the document may lack rows of intervals that nobody observed. */
export function declaredGaps(spec: Spec): 'idle' | undefined {
  const histories = operationsFor(spec, 'history');
  return histories.length > 0 && histories.every(({ gaps }) => gaps === 'idle') ? 'idle' : undefined;
}

/** An operation as reports call it. */
export function nameIn(spec: Spec, id: OperationId): OperationName {
  const { title, path } = operationOf(spec, id);
  return { title, request: `GET ${path}` };
}

/** A pool as people call it: by its space where the API has several, such as `V2 pool 7`. */
export function poolName(spec: Spec, { operation, pool }: Pick<Requested, 'operation' | 'pool'>): string {
  const { space } = operationOf(spec, operation);
  return `${spaceName(spec, space)}pool ${pool}`;
}

/** `V2 ` before the word pool; nothing where all pools are of one space. */
export function spaceName(spec: Spec, space: string): string {
  return spacesOf(spec).length > 1 ? `${space.toUpperCase()} ` : '';
}

/** The spaces that the API numbers its pools in, in the order of their names. */
export function spacesOf({ operations }: Spec): string[] {
  const ofPools = operations.filter((each) => each.role !== 'tokens');
  return [...new Set(ofPools.map((each) => each.space))].sort();
}

/**
 * The path of the cheapest proper request: the token list where there is one, else one candle of the first pool, of which
 * the newest need not be known. Undefined where no pool is.
 */
export function lightPath(spec: Spec, target: TargetFacts, now: number): string | undefined {
  const tokens = firstOperation(spec, 'tokens');
  if (tokens) return pathOf(tokens, {});
  for (const operation of spec.operations) {
    const [pool] = poolsFor(target, operation);
    const interval = spec.rungs.hour ?? spec.intervals[0];
    if (pool === undefined || !interval) continue;
    const to = now - (now % interval.seconds);
    return pathOf(operation, { pool, interval: interval.name, from: to - interval.seconds, to, limit: 1 });
  }
  return undefined;
}

/** The first operation that asks for pools of a space. */
export function operationOfSpace({ operations }: Spec, space: string): Operation | undefined {
  return operations.find((each) => each.role !== 'tokens' && each.space === space);
}

/** A longer id would not fit the index of a database. */
const longestPoolId = 200;

/** Tells whether the document's parameter takes the id, and stores can find rows by it. */
export function isPool(spec: Spec, space: string, id: PoolId): boolean {
  return (
    String(id).length <= longestPoolId &&
    operationOfSpace(spec, space)
      ?.parameters.find(({ role }) => role === 'pool')
      ?.accepts(id) === true
  );
}

/** The pools of an operation that a target was said to have. */
export function poolsFor({ pools }: TargetFacts, { space }: Pick<Operation, 'space'>): readonly PoolId[] {
  return pools[space] ?? [];
}

/** Operations of a role, in the order of the document. */
export function operationsFor({ operations }: Spec, role: OperationRole): Operation[] {
  return operations.filter((each) => each.role === role);
}
