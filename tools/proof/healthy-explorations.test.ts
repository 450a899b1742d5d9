import { loadSpec } from '@candleproof/document/spec/load-spec';
import { type RunningService, type ServiceOptions, startService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { ingestSparseMarket } from '@candleproof/reference-service/testing/sparse-market';
import { expect, test } from '@playwright/test';
import { describeTarget } from 'candleproof/kill-matrix/check-service';
import { noon, withTemporaryFolder } from './testing/distorted-service.ts';
import { exploreService, formatFindings } from './testing/explore-service.ts';
import { springDays, springEvening } from './testing/odd-ranges.ts';

const spec = loadSpec('openapi.yaml');
const seeds = Number(process.env.CANDLEPROOF_EXPLORED_SEEDS ?? 200);
const budget = 60;
const quota = { limit: 1_000_000 };

type HealthyService = {
  readonly title: string;
  readonly start: (dataDir: string) => Promise<RunningService>;
  /** Its quiet intervals are declared. */
  readonly gaps?: 'idle';
};

function built(options: ServiceOptions, begin = noon): HealthyService['start'] {
  return (dataDir) => startBuilt({ dataDir, seed: 3, quota, now: clockFrom(begin), ...options });
}

function clockFrom(begin: number): () => number {
  const began = performance.now();
  return () => begin + performance.now() - began;
}

const services: readonly HealthyService[] = [
  { title: 'of thirty days', start: built({ historyDays: 30 }) },
  {
    title: "across clock changes, a leap day and a year's end",
    start: built({ historyDays: springDays }, springEvening),
  },
  {
    title: 'of three days that makes other choices',
    start: built({
      historyDays: 3,
      choices: {
        weekAnchor: 3 * 86_400,
        membership: 'start-in-range',
        openInHistory: false,
        openEnd: 'interval-end',
        order: 'descending',
        errorBody: 'message',
      },
    }),
  },
  {
    title: 'that is observed when it trades',
    gaps: 'idle',
    start: async (dataDir) => {
      await ingestSparseMarket(dataDir, { seed: 2, days: 18, now: noon / 1000 + 600, tradesOnly: true });
      return startService({ dataDir, ephemeral: true, quota, now: clockFrom(noon) });
    },
  },
];

for (const { title, start, gaps } of services) {
  test(`${seeds} explorations of a healthy service ${title} find nothing`, { tag: '@thorough' }, async () => {
    test.setTimeout(60_000 + seeds * 5_000);
    await withTemporaryFolder(async (folder) => {
      const service = await start(folder);
      const target = { ...describeTarget(service), ...(gaps && { gaps }) };
      try {
        for (let seed = 1; seed <= seeds; seed++) {
          const outcome = await exploreService(service, { spec, seed, target, strict: true, budget });
          expect(formatFindings(outcome), `seed ${seed}`).toEqual([]);
          expect(outcome.counterexample, `seed ${seed}`).toBeUndefined();
          expect(outcome.run.verdict, `seed ${seed}: ${outcome.run.reason}`).toBe('conformant');
        }
      } finally {
        await service.close();
      }
    });
  });
}
