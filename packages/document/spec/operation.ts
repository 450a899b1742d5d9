import { buildPath, requestName } from './request-path.ts';
import type { OperationRole } from './roles.ts';
import type { Operation, OperationId, OperationName, PoolId, PoolsBySpace, Spec } from './spec.ts';
import { SpecError } from './spec.ts';

type HasPools = { readonly pools: PoolsBySpace };

/** Returns the first operation of a role, if there is one. */
export function firstOperation({ operations }: Spec, role: OperationRole): Operation | undefined {
  return operations.find((operation) => operation.role === role);
}

/** Returns the first operation of a role. Throws a SpecError if the document has none. */
export function requireOperation(spec: Spec, role: OperationRole): Operation {
  const found = firstOperation(spec, role);
  if (!found) throw new SpecError(`${spec.file}: no operation has x-role ${role}; add it to one`);
  return found;
}

/** Returns the operation with this id. Throws a SpecError if the document has none. */
export function operationById(spec: Spec, id: OperationId): Operation {
  const found = spec.operations.find((operation) => operation.id === id);
  if (!found) throw new SpecError(`${spec.file}: no operation is called ${id}; add its operationId`);
  return found;
}

/** Returns `idle` if every history of the document may lack rows of unobserved intervals. */
export function declaredGaps(spec: Spec): 'idle' | undefined {
  const histories = listOperations(spec, 'history');
  return histories.length > 0 && histories.every(({ gaps }) => gaps === 'idle') ? 'idle' : undefined;
}

/** Returns the address of the first server, with default variables; undefined for a relative or `.invalid` one. */
export function firstServer({ document: { servers } }: Spec): string | undefined {
  const [server] = Array.isArray(servers) ? servers : [];
  const address = String(server?.url).replace(
    /\{([^}]+)\}/g,
    (whole, name) => server?.variables?.[name]?.default ?? whole,
  );
  return URL.canParse(address) && !new URL(address).hostname.endsWith('.invalid') ? address : undefined;
}

/** Returns an operation's name in reports. */
export function operationName(spec: Spec, id: OperationId): OperationName {
  const operation = operationById(spec, id);
  return { title: operation.title, request: requestName(operation) };
}

/** Names a pool, with its space if the API has several, such as `V2 pool 7`. */
export function poolName(
  spec: Spec,
  { operation, pool }: { readonly operation: OperationId; readonly pool?: PoolId },
): string {
  const { space } = operationById(spec, operation);
  return `${spacePrefix(spec, space)}pool ${pool}`;
}

/** Returns the prefix of a pool's name, such as `V2 `; empty if all pools share one space. */
export function spacePrefix(spec: Spec, space: string): string {
  return listSpaces(spec).length > 1 ? `${space.toUpperCase()} ` : '';
}

/** Lists the spaces that the API numbers its pools in, sorted by name. */
export function listSpaces({ operations }: Spec): string[] {
  const ofPools = operations.filter((operation) => operation.role !== 'tokens');
  return [...new Set(ofPools.map((ofPool) => ofPool.space))].sort();
}

/**
 * Returns the path of the cheapest proper request: the token list if there is one, else one closed candle of the first
 * pool. Undefined if no pool is known. `now` is in Unix seconds.
 */
export function cheapestPath(spec: Spec, target: HasPools, now: number): string | undefined {
  const tokens = firstOperation(spec, 'tokens');
  if (tokens) return buildPath(tokens, {});
  for (const operation of spec.operations) {
    const [pool] = listPools(target, operation);
    const interval = spec.rungs.hour ?? spec.intervals[0];
    if (pool === undefined || !interval) continue;
    const to = now - (now % interval.seconds);
    return buildPath(operation, { pool, interval: interval.name, from: to - interval.seconds, to, limit: 1 });
  }
  return undefined;
}

/** Returns the first operation that takes pools of a space. */
export function findSpaceOperation({ operations }: Spec, space: string): Operation | undefined {
  return operations.find((operation) => operation.role !== 'tokens' && operation.space === space);
}

/** A longer id would not fit the index of a database. */
const longestPoolId = 200;

/** Returns whether the document's parameter takes the id, and stores can find rows by it. */
export function isPool(spec: Spec, space: string, id: PoolId): boolean {
  return (
    String(id).length <= longestPoolId &&
    findSpaceOperation(spec, space)
      ?.parameters.find(({ role }) => role === 'pool')
      ?.accepts(id) === true
  );
}

/** Returns whether every range of a history ends at the present: it holds the newest rows, or those since a time. */
export function endsNow({ role, parameters }: Operation): boolean {
  return role === 'history' && !parameters.some((parameter) => parameter.role === 'to');
}

/** Returns the most rows that an answer may hold of an interval of `length` seconds; Infinity if the document names none. */
export function findMaxRows(
  { maxRows = Number.POSITIVE_INFINITY, maxRowsOf }: Pick<Operation, 'maxRows' | 'maxRowsOf'>,
  length: number,
): number {
  return maxRowsOf?.[length] ?? maxRows;
}

/** Lists the target's pools of an operation. */
export function listPools({ pools }: HasPools, { space }: Pick<Operation, 'space'>): readonly PoolId[] {
  return pools[space] ?? [];
}

/** Lists the operations of a role, in the document's order. */
export function listOperations({ operations }: Spec, role: OperationRole): Operation[] {
  return operations.filter((operation) => operation.role === role);
}

/** Fields that distinguish a record from other objects. */
const tellingFields = 3;

/** Returns whether a value has enough fields of a token or candle to be one, or part of one. */
export function isRecordLike({ operations }: Spec, value: unknown): boolean {
  return operations.some(
    (operation) => operation.recordFields.length >= tellingFields && isRecordOf(operation, value),
  );
}

/** Returns whether a value has enough fields of an operation's records to be one. */
export function isRecordOf({ recordFields }: Operation, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const held = recordFields.filter((recordField) => Object.hasOwn(value, recordField));
  return held.length >= Math.min(tellingFields, recordFields.length);
}

/** Returns the name of the success among responses: 200, another 2xx with a body, 2XX or default. */
export function nameSuccess(responses: unknown): string | undefined {
  const names = Object.keys(responses ?? {});
  const of = (form: RegExp): string | undefined => names.find((name) => form.test(name));
  return of(/^200$/) ?? of(/^2(?!04)\d\d$/) ?? of(/^2XX$/i) ?? of(/^default$/);
}

/** Returns the media type of JSON among those of a response, or the one of any type. */
export function nameJson(content: unknown): string | undefined {
  const names = Object.keys(content ?? {});
  return names.find((name) => /json/.test(name)) ?? names.find((name) => /^(\*|application)\/\*$/.test(name));
}
