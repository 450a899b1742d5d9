import type { SendRequest } from '@candleproof/client/send/request-lines';
import { buildPath } from '@candleproof/document/spec/request-path';
import type { ParameterRole } from '@candleproof/document/spec/roles';
import { rungSeconds } from '@candleproof/document/spec/roles';
import type { Operation, Parameter, PoolId, Spec } from '@candleproof/document/spec/spec';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { type ErrorCase, unissuedTag } from '@candleproof/law/rules/error-cases';

/** A proper request for hours of the closed week, and its target. */
export type ProperRequest = {
  readonly spec: Spec;
  readonly target: TargetFacts;
  readonly operation: Operation;
  readonly pool: PoolId;
  readonly from: number;
  readonly to: number;
  /** The entity tag of the newest token list. */
  readonly tag?: string;
};

type FaultyRequest = Pick<SendRequest, 'path' | 'method' | 'headers'>;

/** Pools are numbered from one upwards, and no exchange has this many. */
const unlikelyPools = [999_999_937, 999_999_929];

/** The fault of a request, with a key and without one. */
type RequestFault = ErrorCase extends infer Case
  ? Case extends `unkeyed-${infer Fault}`
    ? Fault
    : Case
  : never;

function withoutKeyPart(errorCase: ErrorCase): RequestFault {
  return errorCase.replace('unkeyed-', '') as RequestFault;
}

/** Returns the faulty request of a case; undefined if the document or the answers allow none. */
export function errorRequest(errorCase: ErrorCase, proper: ProperRequest): FaultyRequest | undefined {
  const { operation, tag } = proper;
  const fault = withoutKeyPart(errorCase);
  if (operation.role === 'history') return historyCase(fault, proper);
  if (operation.role === 'latest') return latestCase(fault, proper);
  if (fault === 'not-modified')
    return tag === undefined ? undefined : { path: operation.path, headers: [['if-none-match', tag]] };
  if (fault === 'tag-unknown') return { path: operation.path, headers: [['if-none-match', unissuedTag]] };
  return tokensCase(fault, operation);
}

type Values = Readonly<Record<string, unknown>>;

function historyCase(fault: RequestFault, proper: ProperRequest): FaultyRequest | undefined {
  const { operation, from, to, spec } = proper;
  const values = wrongValues(fault, proper);
  if (!values) return undefined;
  const interval = spec.rungs.hour?.name;
  const limit = Math.ceil((to - from) / rungSeconds(spec.rungs, 'hour')) + 1;
  return { path: buildPath(operation, { pool: proper.pool, from, to, interval, limit, ...values }) };
}

/** Returns the values that a fault gives in place of proper ones. */
function wrongValues(
  fault: RequestFault,
  { spec, target, operation, pool, from, to }: ProperRequest,
): Values | undefined {
  const parameter = (role: ParameterRole): Parameter | undefined =>
    operation.parameters.find((parameter) => parameter.role === role);
  const omitParameter = (role: ParameterRole): Values | undefined =>
    parameter(role)?.required && parameter(role)?.in === 'query' ? { [role]: undefined } : undefined;
  const withTime = (role: 'from' | 'to', values: Values, isOfSeconds = false): Values | undefined => {
    const declared = parameter(role);
    return declared && !(isOfSeconds && declared.unit !== undefined) ? values : undefined;
  };
  const withNumber = (text: string | number): Values | undefined =>
    typeof pool === 'number' ? { pool: text } : undefined;
  const name = spec.rungs.hour?.name ?? '';
  const short = spec.rungs.minutes?.name ?? '';
  const cut = short.slice(0, Math.ceil(short.length / 2));
  const cases: Partial<Record<RequestFault, Values | undefined>> = {
    'from-left-out': omitParameter('from'),
    'to-left-out': omitParameter('to'),
    'interval-left-out': omitParameter('interval'),
    'interval-unknown': { interval: 'MONTH' },
    'interval-lower-case': name === name.toLowerCase() ? undefined : { interval: name.toLowerCase() },
    'interval-cut-short': { interval: cut },
    'from-as-text': withTime('from', { from: 'yesterday' }),
    'from-in-milliseconds': withTime('from', { from: from * 1000, to: to * 1000 }, true),
    'from-negative': withTime('from', { from: -1 }),
    'from-after-to': withTime('from', { from: to, to: from }),
    'to-with-fraction': withTime('to', { to: `${to}.5` }, true),
    'pool-as-text': withNumber('one'),
    'pool-negative': withNumber(-1),
    'pool-with-zeros': withNumber(`00${pool}`),
    'pool-with-fraction': withNumber(`${pool}.5`),
    'pool-beyond-32-bits': typeof pool === 'number' ? { pool: 2 ** 32 + pool } : undefined,
    'pool-unknown': { pool: unknownPool(target, operation) },
  };
  return cases[fault];
}

function latestCase(
  fault: RequestFault,
  { spec, target, operation, pool }: ProperRequest,
): FaultyRequest | undefined {
  const name = operation.parameters.find(({ role }) => role === 'inverted')?.name;
  const interval = spec.rungs.hour?.name;
  if (fault === 'pool-unknown')
    return { path: buildPath(operation, { pool: unknownPool(target, operation), interval }) };
  const path = buildPath(operation, { pool, interval });
  const withQuery = (...values: readonly string[]): FaultyRequest => ({
    path: [path, ...values.map((value) => `${name}=${value}`)].join('&'),
  });
  const cases: Partial<Record<RequestFault, FaultyRequest>> = {
    'inverted-in-capitals': withQuery('TRUE'),
    'inverted-as-number': withQuery('1'),
    'inverted-empty': withQuery(''),
    'inverted-twice': withQuery('true', 'false'),
  };
  return cases[fault];
}

/** The methods that no operation of candles has. */
const otherMethods: Partial<Record<RequestFault, string>> = {
  'method-options': 'OPTIONS',
  'method-head': 'HEAD',
  'method-put': 'PUT',
  'method-patch': 'PATCH',
  'method-delete': 'DELETE',
};

/** Returns the method of a faulty request; undefined if it has that of its operation. */
export function otherMethod(errorCase: ErrorCase): string | undefined {
  return otherMethods[withoutKeyPart(errorCase)];
}

function tokensCase(fault: RequestFault, { path }: Operation): FaultyRequest | undefined {
  const method = otherMethods[fault];
  if (method !== undefined) return { path, method };
  const cases: Partial<Record<RequestFault, FaultyRequest | undefined>> = {
    'tokens-query': { path: `${path}?limit=1` },
    'slash-at-end': path.endsWith('/') ? undefined : { path: `${path}/` },
    'path-in-capitals': { path: path.toUpperCase() },
    'path-unknown': { path: '/no-such-path' },
    'slash-doubled': { path: `/${path}` },
  };
  return cases[fault];
}

function unknownPool({ pools }: TargetFacts, { space }: Operation): PoolId {
  const ids = pools[space] ?? [];
  if (ids.some((id) => typeof id === 'string')) return `${ids[0]}-999999937`;
  const known = Object.values(pools).flat();
  return unlikelyPools.find((unlikelyPool) => !known.includes(unlikelyPool)) ?? 999_999_893;
}
