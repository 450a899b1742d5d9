import { pathOf } from '../contract/asked.ts';
import type { ErrorCase } from '../contract/error-cases.ts';
import type { TargetFacts } from '../contract/exchange.ts';
import { operationFor } from '../contract/operation.ts';
import type { Spec } from '../contract/spec.ts';
import type { SendRequest } from '../http/request-lines.ts';

/** A proper request for hours of the closed week, and who is asked. */
export type Proper = {
  readonly spec: Spec;
  readonly target: TargetFacts;
  readonly pool: number;
  readonly from: number;
  readonly to: number;
  /** Of the token list as it was answered last. */
  readonly tag?: string;
};

type Faulty = Pick<SendRequest, 'path' | 'method' | 'headers'>;

/** Pools are numbered from one upwards: no exchange has so many. */
const unlikelyPools = [999_999_937, 999_999_929];

/** The faulty request of a case; undefined where nothing was answered that it could be made from. */
export function errorRequest(errorCase: ErrorCase, proper: Proper): Faulty | undefined {
  return (
    historyCase(errorCase, proper) ??
    latestCase(errorCase, proper) ??
    tokensCase(errorCase, proper) ??
    (errorCase === 'not-modified' && proper.tag !== undefined
      ? { path: operationFor(proper.spec, 'tokens').path, headers: [['if-none-match', proper.tag]] }
      : undefined)
  );
}

function historyCase(errorCase: ErrorCase, proper: Proper): Faulty | undefined {
  const { spec, from, to } = proper;
  const operation = operationFor(spec, 'history');
  const ask = (values: Record<string, unknown>, pool: string | number = proper.pool): Faulty => ({
    path: pathOf(operation, { pool, from, to, interval: 'HOUR', ...values }),
  });
  const cases: Partial<Record<ErrorCase, Faulty>> = {
    'from-left-out': ask({ from: undefined }),
    'to-left-out': ask({ to: undefined }),
    'interval-left-out': ask({ interval: undefined }),
    'interval-unknown': ask({ interval: 'MONTH' }),
    'unkeyed-interval-unknown': ask({ interval: 'MONTH' }),
    'interval-lower-case': ask({ interval: 'hour' }),
    'interval-cut-short': ask({ interval: 'FIVE' }),
    'from-as-text': ask({ from: 'yesterday' }),
    'from-in-milliseconds': ask({ from: from * 1000, to: to * 1000 }),
    'from-negative': ask({ from: -1 }),
    'from-after-to': ask({ from: to, to: from }),
    'to-with-fraction': ask({ to: `${to}.5` }),
    'pool-as-text': ask({}, 'one'),
    'pool-negative': ask({}, -1),
    'pool-with-zeros': ask({}, `00${proper.pool}`),
    'pool-with-fraction': ask({}, `${proper.pool}.0`),
    'pool-unknown': ask({}, unknownPool(proper.target)),
    'unkeyed-pool-unknown': ask({}, unknownPool(proper.target)),
  };
  return cases[errorCase];
}

function latestCase(errorCase: ErrorCase, { spec, target }: Proper): Faulty | undefined {
  const operation = operationFor(spec, 'latest');
  const name = operation.parameters.find(({ role }) => role === 'inverted')?.name;
  const path = pathOf(operation, { pool: target.poolsV1[0] ?? 1, interval: 'HOUR' });
  const ask = (...values: readonly string[]): Faulty => ({
    path: [path, ...values.map((each) => `${name}=${each}`)].join('&'),
  });
  const cases: Partial<Record<ErrorCase, Faulty>> = {
    'inverted-in-capitals': ask('TRUE'),
    'inverted-as-number': ask('1'),
    'inverted-empty': ask(''),
    'inverted-twice': ask('true', 'false'),
  };
  return cases[errorCase];
}

function tokensCase(errorCase: ErrorCase, { spec }: Proper): Faulty | undefined {
  const { path } = operationFor(spec, 'tokens');
  const cases: Partial<Record<ErrorCase, Faulty>> = {
    'tokens-query': { path: `${path}?limit=1` },
    'slash-at-end': { path: `${path}/` },
    'path-in-capitals': { path: path.toUpperCase() },
    'path-unknown': { path: '/no-such-path' },
    'method-head': { path, method: 'HEAD' },
    'method-put': { path, method: 'PUT' },
    'method-patch': { path, method: 'PATCH' },
    'method-delete': { path, method: 'DELETE' },
  };
  return cases[errorCase];
}

function unknownPool({ poolsV1, poolsV2 }: TargetFacts): number {
  const known = [...poolsV1, ...poolsV2];
  return unlikelyPools.find((each) => !known.includes(each)) ?? 999_999_893;
}
