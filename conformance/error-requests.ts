import type { ErrorCase } from '../contract/error-cases.ts';
import type { TargetFacts } from '../contract/exchange.ts';
import type { SendRequest } from '../http/request-lines.ts';

/** A proper request for hours of the closed week, and who is asked. */
export type Proper = {
  readonly target: TargetFacts;
  readonly poolId: number;
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
    tokensCase(errorCase) ??
    (errorCase === 'not-modified' && proper.tag !== undefined
      ? { path: '/tokens', headers: [['if-none-match', proper.tag]] }
      : undefined)
  );
}

function historyCase(errorCase: ErrorCase, proper: Proper): Faulty | undefined {
  const { from, to } = proper;
  const query = (values: Record<string, unknown>): string =>
    Object.entries({ from, to, interval: 'HOUR', ...values })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
  const ask = (values: Record<string, unknown>, pool: string | number = proper.poolId): Faulty => ({
    path: `/v2/pools/conversionRates/${pool}?${query(values)}`,
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
    'pool-with-zeros': ask({}, `00${proper.poolId}`),
    'pool-with-fraction': ask({}, `${proper.poolId}.0`),
    'pool-unknown': ask({}, unknownPool(proper.target)),
    'unkeyed-pool-unknown': ask({}, unknownPool(proper.target)),
  };
  return cases[errorCase];
}

function latestCase(errorCase: ErrorCase, { target }: Proper): Faulty | undefined {
  const ask = (inverted: string): Faulty => ({
    path: `/pools/conversionRates/latest/${target.poolsV1[0] ?? 1}?interval=HOUR&${inverted}`,
  });
  const cases: Partial<Record<ErrorCase, Faulty>> = {
    'inverted-in-capitals': ask('inverted=TRUE'),
    'inverted-as-number': ask('inverted=1'),
    'inverted-empty': ask('inverted='),
    'inverted-twice': ask('inverted=true&inverted=false'),
  };
  return cases[errorCase];
}

function tokensCase(errorCase: ErrorCase): Faulty | undefined {
  const cases: Partial<Record<ErrorCase, Faulty>> = {
    'tokens-query': { path: '/tokens?limit=1' },
    'slash-at-end': { path: '/tokens/' },
    'path-in-capitals': { path: '/TOKENS' },
    'path-unknown': { path: '/no-such-path' },
    'method-head': { path: '/tokens', method: 'HEAD' },
    'method-put': { path: '/tokens', method: 'PUT' },
    'method-patch': { path: '/tokens', method: 'PATCH' },
    'method-delete': { path: '/tokens', method: 'DELETE' },
  };
  return cases[errorCase];
}

function unknownPool({ poolsV1, poolsV2 }: TargetFacts): number {
  const known = [...poolsV1, ...poolsV2];
  return unlikelyPools.find((each) => !known.includes(each)) ?? 999_999_893;
}
