import { loadSpec } from '@candleproof/document/spec/load-spec';
import { headerValues } from '@candleproof/law/reading/exchange';
import { expect, test } from '@playwright/test';
import { checkService } from 'candleproof/kill-matrix/check-service';
import { noon, withDistortedService } from './testing/distorted-service.ts';
import { exploreService, formatFindings } from './testing/explore-service.ts';
import { hiddenFaults, lossInLongRanges } from './testing/hidden-faults.ts';

const spec = loadSpec('openapi.yaml');
const budget = 400;
const healthySeeds = Number(
  process.env.CANDLEPROOF_EXPLORED_SEEDS ?? (process.env.CANDLEPROOF_THOROUGH ? 6 : 1),
);

/** Rules that compare answers with each other: explorations must provide evidence for them. */
const metamorphic = [
  'history/closed-candles-stay',
  'history/split-loses-nothing',
  'history/wider-range-holds-more',
  'inversion/left-out-means-false',
  'inversion/usd-stays',
  'rollup/volume-is-summed',
];

/** Returns the length of a request's range in seconds. */
function rangeSeconds(request: string): number {
  const { searchParams } = new URL(request, 'https://target.invalid');
  return Number(searchParams.get('to')) - Number(searchParams.get('from'));
}

/** The fault that every run looks for: its requests are spelt in a way of their own. */
const usual = ['an interval with a letter too many is served'];

function tagFor(title: string): { tag?: string } {
  return usual.includes(title) ? {} : { tag: '@endurance' };
}

for (const { title, distortion, rules, requests, seconds, strict = false } of hiddenFaults) {
  test(`exploring needs but ${requests} of its requests to show that ${title}`, tagFor(title), async () => {
    await withDistortedService(async (service) => {
      service.distortions = [distortion];
      const checked = await checkService(service, { spec });
      expect(formatFindings(checked)).toEqual([]);
      const { counterexample, run } = await exploreService(service, { spec, seed: 1, strict });
      expect(counterexample?.rules.join()).toMatch(rules);
      expect(counterexample?.requests).toHaveLength(requests);
      expect(Math.max(...(counterexample?.requests ?? []).map(rangeSeconds))).toBeLessThanOrEqual(seconds);
      expect(run.findings.length).toBeGreaterThan(0);
      expect(run.requests.sent).toBeLessThanOrEqual(budget);
      const again = await exploreService(service, {
        spec,
        seed: 1,
        strict,
        path: counterexample?.path ?? '',
      });
      expect(again.counterexample).toEqual(counterexample);
      // One request for the time, and one for the age of each pool.
      expect(again.run.requests.sent).toBe(1 + service.poolsV2.length + requests);
    });
  });
}

test('explorations of the healthy service find nothing', async () => {
  test.setTimeout(30_000 + healthySeeds * 5_000);
  await withDistortedService(async (service) => {
    const judged = new Set<string>();
    for (let seed = 1; seed <= healthySeeds; seed++) {
      const outcome = await exploreService(service, { spec, seed, strict: true, budget: 150 });
      expect(outcome.counterexample, `seed ${seed}`).toBeUndefined();
      expect(formatFindings(outcome), `seed ${seed}`).toEqual([]);
      expect(outcome.run.verdict).toBe('conformant');
      for (const { id, outcome: came } of outcome.run.rules) if (came === 'passed') judged.add(id);
    }
    expect(metamorphic.filter((id) => !judged.has(id))).toEqual([]);
  });
});

test('a known counterexample is tried before anything else', async () => {
  await withDistortedService(async (service) => {
    const requests = ['/v2/pools/conversionRates/1?from=1772323200&to=1773187201&interval=HOUR'];
    service.distortions = [lossInLongRanges];
    const found = await exploreService(service, { spec, known: [{ requests, rules: [] }] });
    expect(found.counterexample).toEqual({ requests, rules: ['history/complete'] });
    expect(found.run.requests.sent).toBe(2);
    service.distortions = [];
    const mended = await exploreService(service, { spec, known: [{ requests, rules: [] }], budget: 30 });
    expect(mended.counterexample).toBeUndefined();
    expect(mended.cases).toBeGreaterThan(5);
  });
});

test('a closed range is requested again in few requests, and most often in another manner', {
  tag: '@endurance',
}, async () => {
  await withDistortedService(async (service) => {
    service.distortions = [lossInLongRanges];
    const { recording } = await exploreService(service, { spec, seed: 2, budget: 200 });
    const closed = recording.exchanges
      .filter(
        ({ request: { url } }) =>
          url.includes('/v2/') && Number(new URL(url).searchParams.get('to')) <= noon / 1000 - 3600,
      )
      .map(({ request: { url, headers, credential } }) =>
        [url, credential, headerValues(headers, 'user-agent'), headerValues(headers, 'accept-encoding')].join(
          ' ',
        ),
      );
    expect(closed.length).toBeGreaterThan(20);
    expect(closed.length - new Set(closed).size).toBeLessThanOrEqual(recording.exchanges.length / 8);
  });
});
