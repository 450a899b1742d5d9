import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { checkService } from 'candleproof/kill-matrix/check-service';
import { formatFindings } from './testing/explore-service.ts';
import { type Misfortune, openFlakyFront } from './testing/flaky-front.ts';

const spec = loadSpec('openapi.yaml');
const runs = process.env.CANDLEPROOF_THOROUGH ? 8 : 2;
let service: RunningService;

test.beforeAll(async () => {
  service = await startBuilt({
    seed: 5,
    historyDays: 18,
    now: '2026-03-11T15:32:20Z',
    quota: { limit: 100_000 },
  });
});
test.afterAll(() => service.close());

/** The should that several failures of a run break. */
const atFirst = 'transport/answered-at-first';

/** Runs checks through a front that spoils few requests; counts them, to know that it did. */
async function expectConformant(misfortune: Omit<Misfortune, 'seed'>): Promise<void> {
  test.setTimeout(30_000 + runs * 15_000);
  let failures = 0;
  for (let seed = 1; seed <= runs; seed++) {
    const front = await openFlakyFront(service, { ...misfortune, seed });
    const { run, recording } = await checkService(front.service, { spec, seed });
    await front.close();
    failures += recording.exchanges.filter(
      (exchange) => exchange.failure || exchange.response?.status === 503,
    ).length;
    const findings = run.findings.filter(({ rule }) => rule !== atFirst);
    expect(formatFindings({ run: { ...run, findings }, recording }), `seed ${seed}`).toEqual([]);
    expect(run.verdict, `seed ${seed}: ${run.reason}`).toBe('conformant');
  }
  expect(failures).toBeGreaterThan(0);
}

test(`${runs} runs with one answer in twenty 503 are conformant`, () =>
  expectConformant({ unavailable: 20 }));

test(`${runs} runs with one connection in fifty reset are conformant`, () => expectConformant({ reset: 50 }));
