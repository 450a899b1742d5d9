import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { startService } from '@candleproof/reference-service/start';
import { ingestSparseMarket, type Losses } from '@candleproof/reference-service/testing/sparse-market';
import { expect, test } from '@playwright/test';
import { checkService } from 'candleproof/kill-matrix/check-service';
import { withTemporaryFolder } from './testing/distorted-service.ts';
import { formatFindings } from './testing/explore-service.ts';

const spec = loadSpec('openapi.yaml');
const now = Date.parse('2026-03-11T15:32:20Z');
const seeds = Number(process.env.CANDLEPROOF_SPARSE_SEEDS ?? (process.env.CANDLEPROOF_THOROUGH ? 2 : 1));

/** Losses that every run tries; the others are of the same kinds. */
const usual = ['three minutes of ten'];

/** Losses of an observer: single minutes, several minutes, hours, and more than a day. */
const losses: Readonly<Record<string, Losses>> = {
  'a fifth of all stretches of 47 minutes': { minutes: 47, share: 0.2 },
  'a fifth of all stretches of 47 minutes, in all pools at once': {
    minutes: 47,
    share: 0.2,
    together: true,
  },
  'most stretches of 47 minutes': { minutes: 47, share: 0.6 },
  'three minutes of ten': { minutes: 1, share: 0.3 },
  'every second stretch of 7 minutes': { minutes: 7, share: 0.5 },
  'some stretches of three hours': { minutes: 200, share: 0.15 },
  'a day and an hour now and then': { minutes: 1500, share: 0.1 },
};

async function checked(seed: number, lost: Losses, faults: readonly string[] = []): Promise<RunOutcome> {
  return withTemporaryFolder(async (dataDir) => {
    await ingestSparseMarket(dataDir, { seed, days: 18, now: now / 1000 + 600, losses: lost });
    const began = performance.now();
    const service = await startService({ dataDir, faults, now: () => now + performance.now() - began });
    return checkService(service, { spec, seed }).finally(() => service.close());
  });
}

/** Lists the causes of missing rows, as findings report them for each example. */
function listCauses({ run }: RunOutcome): string[] {
  const missing = run.findings.filter((finding) => finding.rule === 'history/complete');
  return missing.flatMap(({ examples }) => examples.map(({ actual }) => actual.split('; ')[1] ?? 'unknown'));
}

function testTag(what: string): { tag?: string } {
  return usual.includes(what) ? {} : { tag: '@thorough' };
}

for (const [what, lost] of Object.entries(losses)) {
  test(
    `a service whose observer lost ${what} breaks only rules about missing rows`,
    testTag(what),
    async () => {
      test.setTimeout(60_000 + seeds * 20_000);
      const causes: string[] = [];
      for (let seed = 2; seed < 2 + seeds; seed++) {
        const outcome = await checked(seed, lost);
        const others = formatFindings(outcome).filter((finding) => !finding.startsWith('history/complete'));
        expect(others, `seed ${seed}`).toEqual([]);
        causes.push(...listCauses(outcome));
      }
      expect(causes.join('\n')).not.toContain('rows were lost');
      expect(causes.join('\n')).toContain('an outage of the observer');
    },
  );
}

test('rows that the service drops are reported whatever its observer lost', {
  tag: '@endurance',
}, async () => {
  for (const lost of [{ minutes: 1, share: 0 }, losses['a fifth of all stretches of 47 minutes']] as const) {
    const causes = listCauses(await checked(2, lost ?? { minutes: 1, share: 0 }, ['noon-is-missing']));
    expect(causes.join('\n')).toContain('rows were lost');
  }
});

test('omitted buckets without trades are not an outage of the observer', async () => {
  const causes = listCauses(await checked(2, { minutes: 1, share: 0 }, ['idle-buckets-omitted']));
  expect(causes.length).toBeGreaterThan(0);
  expect(causes.join('\n')).not.toContain('outage');
});
