import type { Credential, HeaderLine } from '../reading/exchange.ts';
import { nearMisses, otherPlaces, type Trial, trialCredential, unissuedTag } from '../rules/error-cases.ts';
import type { World } from './world.ts';

const hours = 'interval=HOUR';

const withTagOfNobody: Request = {
  name: 'tag of nobody',
  credential: 'api-key',
  headers: [['if-none-match', unissuedTag]],
  path: () => '/tokens',
};

/** Lists faulty requests, named after their fault. */
export function listFaultyRequests(
  { poolsV1: [v1 = 0], poolsV2: [v2 = 0], tags }: World,
  from: number,
): Request[] {
  const to = from + 7 * 86_400;
  const history = `/v2/pools/conversionRates/${v2}`;
  const range = `from=${from}&to=${to}`;
  const latest = `/pools/conversionRates/latest/${v1}?${hours}`;
  const paths: Record<string, string> = {
    'pool-unknown': `/v2/pools/conversionRates/999999937?${range}&${hours}`,
    'interval-unknown': `${history}?${range}&interval=MONTH`,
    'from-left-out': `${history}?to=${to}&${hours}`,
    'interval-lower-case': `${history}?${range}&interval=hour`,
    'to-with-fraction': `${history}?${range}.5&${hours}`,
    'from-after-to': `${history}?from=${to}&to=${from}&${hours}`,
    'from-in-milliseconds': `${history}?from=${from}000&to=${to}000&${hours}`,
    'pool-negative': `/v2/pools/conversionRates/-1?${range}&${hours}`,
    'pool-beyond-32-bits': `/v2/pools/conversionRates/${2 ** 32 + v2}?${range}&${hours}`,
    'inverted-in-capitals': `${latest}&inverted=TRUE`,
    'tokens-query': '/tokens?limit=1',
    'slash-at-end': '/tokens/',
    'path-unknown': '/no-such-path',
  };
  const requested = Object.entries(paths).map(
    ([name, path]): Request => ({ name, credential: 'api-key', path: () => path }),
  );
  return [
    ...requested,
    { name: 'head', credential: 'api-key', method: 'HEAD', path: () => '/tokens' },
    { name: 'post', credential: 'api-key', method: 'POST', path: () => '/tokens' },
    {
      name: 'known tag',
      credential: 'api-key',
      headers: [['if-none-match', '"kept"']],
      path: () => '/tokens',
    },
    ...(tags ? [withTagOfNobody] : []),
  ];
}

/** Lists faulty requests without a key: the document leaves open which fault is reported first. */
export function listUnkeyedFaults(world: World, from: number): Request[] {
  return [
    ...listFaultyRequests(world, from)
      .slice(0, 2)
      .map(
        (faultyRequest): Request => ({
          ...faultyRequest,
          name: `${faultyRequest.name} unkeyed`,
          credential: 'none',
        }),
      ),
    { name: 'doubled slash unkeyed', credential: 'none', path: () => '//tokens' },
    { name: 'slash at end unkeyed', credential: 'none', path: () => '/tokens/' },
    { name: 'head unkeyed', credential: 'none', method: 'HEAD', path: () => '/tokens' },
    { name: 'options unkeyed', credential: 'none', method: 'OPTIONS', path: () => '/tokens' },
  ];
}

const rarest: readonly Trial[] = [
  'very-long',
  'soft-hyphen',
  'reversed',
  'null-word',
  'other-last-character',
  'quoted',
];

/** Wrong keys that a run of a world tries: most of them, as a long run might. */
export const triedKeys = nearMisses.filter((nearMiss) => !rarest.includes(nearMiss));

/** Lists requests with invalid keys, and with valid ones in the wrong place. */
export function listKeyTrials(): Request[] {
  const tried = otherPlaces.filter((place) => place !== 'as-basic');
  return [...triedKeys, ...tried, 'as-bearer' as const].map(makeTrial);
}

/** Makes a request with a trial key, or with the valid key in a capitalized header or in the wrong place. */
export function makeTrial(trial: Trial): Request {
  return {
    name: `trial ${trial}`,
    credential: trialCredential(trial),
    path: () => (trial === 'in-query' ? '/tokens?x-api-key=[redacted:api-key]' : '/tokens'),
  };
}

/** A request of a run; its path may depend on the server's last reported time. */
export type Request = {
  readonly name: string;
  readonly credential: Credential;
  readonly path: (serverNow: number) => string;
  /** GET by default. */
  readonly method?: string;
  readonly headers?: readonly HeaderLine[];
  readonly plainHttp?: true;
  /** Sent at the same time as its neighbors. */
  readonly together?: true;
};
