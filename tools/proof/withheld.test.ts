import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Distortion, RequestContext } from '@candleproof/reference-service/api/distortion';
import { JSON_TYPE, withHeader, withText } from '@candleproof/reference-service/faults/bending/bent-reply';
import { SwitchedFaults } from '@candleproof/reference-service/faults/registry';
import { expect, test } from '@playwright/test';
import { checkService } from 'candleproof/kill-matrix/check-service';
import { type Distorted, noon, withDistortedService } from './testing/distorted-service.ts';

const spec = loadSpec('openapi.yaml');

type Verdict = { readonly verdict: string; readonly words: RegExp };
type Case = { readonly distortions: () => readonly Distortion[] } & Verdict;

const inconclusive = (words: RegExp): Verdict => ({ verdict: 'inconclusive', words });
const nonconformant = (words: RegExp): Verdict => ({ verdict: 'nonconformant', words });

const isHistory = ({ request }: RequestContext): boolean => request.target.startsWith('/v2/');

/** Returns a distortion that empties the chosen histories. */
function empty(isChosen: (requested: RequestContext) => boolean): () => Distortion[] {
  return () => [{ rows: (rows, requested) => (isChosen(requested) ? [] : rows) }];
}

/** Returns a distortion that refuses the chosen histories; `nth` counts them. */
function refused(isChosen: (requested: RequestContext, nth: number) => boolean): () => Distortion[] {
  return () => {
    let nth = 0;
    const reply: Distortion['reply'] = (given, requested) =>
      given.status === 200 && isHistory(requested) && isChosen(requested, ++nth)
        ? withText(given, 400, JSON_TYPE, '{"title":"no such range"}')
        : given;
    return [{ reply }];
  };
}

function dateBehind(seconds: number): Distortion {
  return {
    reply: (reply, { now }) => withHeader(reply, 'Date', new Date(now - seconds * 1000).toUTCString()),
  };
}

function parameter(name: string, { request }: RequestContext): string | null {
  return new URL(request.target, 'https://target.invalid').searchParams.get(name);
}

const isTurned = (requested: RequestContext): boolean => parameter('inverted', requested) === 'true';

const cases: Readonly<Record<string, Case>> = {
  'every history is empty': {
    distortions: empty(() => true),
    ...inconclusive(/^rows were withheld: V2 pool 1 \(no readable row in \d+ answers\); V2 pool 3/),
  },
  'every history and the token list are empty': {
    distortions: () => [...empty(() => true)(), { tokens: () => [] }],
    ...inconclusive(/^rows were withheld: the token list \(no readable row in 1 answer\); V2 pool 1/),
  },
  'one pool of two is empty': {
    distortions: empty(({ poolQuery }) => poolQuery?.poolId === 3),
    ...inconclusive(/^rows were withheld: V2 pool 3 \(no readable row in 4 answers\)$/),
  },
  'inverted histories are empty': {
    distortions: empty(isTurned),
    ...nonconformant(/history\/complete/),
  },
  'inverted histories are refused': {
    distortions: refused(isTurned),
    ...nonconformant(/transport\/proper-requests-are-answered/),
  },
  'histories of FIVEMIN are refused': {
    distortions: refused((requested) => parameter('interval', requested) === 'FIVEMIN'),
    ...nonconformant(/transport\/proper-requests-are-answered/),
  },
  'every fifth history is refused': {
    distortions: refused((_, nth) => nth % 5 === 0),
    ...nonconformant(/transport\/proper-requests-are-answered/),
  },
  'ranges that begin at an odd second are refused': {
    distortions: refused((requested) => Number(parameter('from', requested)) % 60 !== 0),
    ...nonconformant(/transport\/proper-requests-are-answered/),
  },
  'an open candle ends in two ways beside a Date that is twenty hours behind': {
    distortions: () => [...new SwitchedFaults(['F44']).distortions, dateBehind(72_000)],
    ...nonconformant(/latest\/never-goes-back/),
  },
};

for (const [what, { distortions, verdict, words }] of Object.entries(cases)) {
  const tag = what.startsWith('every') || what.startsWith('an open') ? [] : '@endurance';
  test(`a check is ${verdict} where ${what}`, { tag }, async () => {
    await withDistortedService(async (service) => {
      service.distortions = distortions();
      const { run } = await checkService(service, { spec });
      expect([run.verdict, run.reason]).toEqual([verdict, expect.stringMatching(words)]);
    }, Date.now());
  });
}

/** Ages of the latest candles in seconds, wherever in its five minutes the check begins. */
const staleAges = [600, 7200];

test('latest candles that do not move are never conformant', async () => {
  await withDistortedService(async (service) => {
    for (const age of staleAges) {
      const withHistories = await verdictOn(service, age, service.poolsV2);
      expect(withHistories.verdict, `${age} s: ${withHistories.reason}`).toMatch(
        /nonconformant|inconclusive/,
      );
      const alone = await verdictOn(service, age, []);
      expect(alone.verdict, `${age} s alone`).toBe('inconclusive');
      expect(alone.reason).toMatch(/^no latest candle is of the present: the newest was observed at /);
    }
  }, Date.now());
});

async function verdictOn(service: Distorted, age: number, poolsV2: readonly number[]) {
  service.distortions = new SwitchedFaults([`F60:${age}`]).distortions;
  const { url, apiKey, caPem, poolsV1 } = service;
  const { run } = await checkService({ ...service, url, apiKey, caPem, poolsV1, poolsV2 }, { spec });
  return run;
}

const week = 7 * 86_400;

/** Distortions by which a healthy service shows a young pool in its own way. */
const manners: Readonly<Record<string, { ages: number[]; distort: (born: number) => Distortion }>> = {
  'leaves out the closed week of its birth': {
    ages: [2, 9],
    distort: (born) => ({
      rows: (rows, requested) =>
        parameter('interval', requested) === 'WEEK'
          ? rows.filter(({ startTimestampSeconds: start }) => start >= born || start > noon / 1000 - week)
          : rows,
    }),
  },
  'refuses ranges that begin before its birth': {
    ages: [9, 13],
    distort: (born) => ({
      reply: (given, requested) =>
        isHistory(requested) && Number(parameter('from', requested)) < born && given.status === 200
          ? withText(given, 404, JSON_TYPE, '{"title":"not yet born"}')
          : given,
    }),
  },
};

for (const [manner, { ages, distort }] of Object.entries(manners)) {
  for (const days of ages) {
    const tag = days === ages[0] ? [] : '@endurance';
    test(`a service that ${manner} is conformant with pools of ${days} days`, { tag }, async () => {
      const use = async (service: Distorted): Promise<void> => {
        service.distortions = [distort(noon / 1000 - days * 86_400)];
        const { run } = await checkService(service, { spec });
        expect([run.verdict, run.reason, run.findings.map(({ rule }) => rule)]).toEqual([
          'conformant',
          undefined,
          [],
        ]);
      };
      await withDistortedService(use, noon, days);
    });
  }
}
