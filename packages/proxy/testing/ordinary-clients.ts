import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';

export type ClientPlan = {
  readonly url: string;
  readonly apiKey: string;
  readonly poolsV1: readonly number[];
  readonly poolsV2: readonly number[];
  readonly seed: number;
  readonly requests: number;
  /** Simultaneous requests. */
  readonly atOnce?: number;
  /** Pause of each client after each answer: recordings distinguish starts only by whole milliseconds. */
  readonly pauseMs?: number;
  /** Replaces Node's fetch. */
  readonly fetch?: typeof fetch;
};

type Drawn = { readonly path: string; readonly init: RequestInit };

const lengths = { FIVEMIN: 300, HOUR: 3600, DAY: 86_400, WEEK: 604_800 };

/** Sends typical client requests: mostly proper, some odd, some wrong. */
export async function ordinaryTraffic(plan: ClientPlan): Promise<number[]> {
  const drawn = fc.sample(requestsOf(plan), { seed: plan.seed, numRuns: plan.requests });
  const { fetch: send = fetch } = plan;
  const statuses: number[] = [];
  const one = async (): Promise<void> => {
    for (let next = drawn.shift(); next; next = drawn.shift()) {
      const answer = await send(plan.url + next.path, next.init);
      await answer.arrayBuffer();
      statuses.push(answer.status);
      if (plan.pauseMs) await pause(plan.pauseMs);
    }
  };
  await Promise.all(Array.from({ length: plan.atOnce ?? 4 }, one));
  return statuses;
}

function requestsOf({ apiKey, poolsV1, poolsV2 }: ClientPlan): fc.Arbitrary<Drawn> {
  const now = Math.floor(Date.now() / 1000);
  const interval = fc.constantFrom<keyof typeof lengths>('FIVEMIN', 'HOUR', 'DAY', 'WEEK');
  const inverted = fc.constantFrom('', '&inverted=true', '&inverted=false');
  const count = fc.integer({ min: 1, max: 40 });
  const ranges = fc
    .tuple(fc.constantFrom(...poolsV2), interval, inverted, count, fc.nat(12))
    .map(([id, name, flag, rows, back]) => {
      const to = now - (now % lengths[name]) - back * lengths[name];
      return `/v2/pools/conversionRates/${id}?from=${to - rows * lengths[name]}&to=${to}&interval=${name}${flag}`;
    });
  const latest = fc
    .tuple(fc.constantFrom(...poolsV1), interval, inverted)
    .map(([id, name, flag]) => `/pools/conversionRates/latest/${id}?interval=${name}${flag}`);
  const wrong = fc.constantFrom(
    '/pools/conversionRates/latest/1?interval=hour',
    '/pools/conversionRates/latest/999999999?interval=HOUR',
    '/v2/pools/conversionRates/1?interval=HOUR&from=9&to=1',
    '/v2/pools/conversionRates/1?interval=DAY',
    '/nowhere',
    '/tokens/',
  );
  const path = fc.oneof(
    { weight: 2, arbitrary: fc.constant('/tokens') },
    { weight: 6, arbitrary: ranges },
    { weight: 6, arbitrary: latest },
    { weight: 1, arbitrary: wrong },
  );
  const key: Record<string, string> = { 'X-API-Key': apiKey };
  const headers = fc.oneof(
    { weight: 12, arbitrary: fc.constant(key) },
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constant({ 'x-api-key': 'f00d'.repeat(8) }) },
    { weight: 1, arbitrary: fc.constant({ ...key, 'if-none-match': '"0"' }) },
    { weight: 1, arbitrary: fc.constant({ ...key, range: 'bytes=0-9' }) },
  );
  const method = fc.oneof(
    { weight: 20, arbitrary: fc.constant('GET') },
    { weight: 1, arbitrary: fc.constantFrom('HEAD', 'POST', 'OPTIONS') },
  );
  return fc.record({ path, headers, method }).map(({ path, ...init }) => ({ path: path, init }));
}
