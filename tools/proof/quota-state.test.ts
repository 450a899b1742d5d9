import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { RunningService, ServiceOptions } from '@candleproof/reference-service/start';
import { openStore } from '@candleproof/reference-service/store/sqlite/sqlite-store';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { checkService, type ServiceCheck } from 'candleproof/kill-matrix/check-service';
import { withTemporaryFolder } from './testing/distorted-service.ts';
import { formatFindings } from './testing/explore-service.ts';

const spec = loadSpec('openapi.yaml');
const instant = Date.parse('2026-03-11T15:32:20Z');

async function checked(
  options: Omit<ServiceOptions, 'dataDir'>,
  requested: (service: RunningService) => Partial<ServiceCheck> = () => ({}),
): Promise<RunOutcome> {
  let outcome: RunOutcome | undefined;
  await withTemporaryFolder(async (dataDir) => {
    const service = await startBuilt({ dataDir, historyDays: 18, now: instant, ...options });
    try {
      outcome = await checkService(service, { spec, ...requested(service) });
    } finally {
      await service.close();
    }
  });
  if (!outcome) throw new Error('no outcome');
  return outcome;
}

function findOutcome({ run }: RunOutcome, rule: string): string | undefined {
  return run.rules.find((ruleResult) => ruleResult.id === rule)?.outcome;
}

for (const remaining of [0, 5, 20]) {
  test(`a key with ${remaining} requests left is inconclusive without findings`, async () => {
    const outcome = await checked({ quota: { limit: 500, remaining, hardCap: true } });
    expect(formatFindings(outcome)).toEqual([]);
    expect(outcome.run).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('429') });
  });
}

/** Revokes the service's key from outside, and blocks until the service rereads its keys. */
function revokeDuring(dataDir: string): void {
  const operator = openStore(dataDir);
  operator.keys.revoke(1);
  operator.close();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
}

test('a key that is revoked during the run is inconclusive without findings', async () => {
  await withTemporaryFolder(async (dataDir) => {
    const service = await startBuilt({ dataDir, historyDays: 18, now: instant });
    const { recording } = await checkService(service, { spec });
    const outcome = await checkService(service, {
      spec,
      onProgress: (sent) => {
        if (sent === 10) revokeDuring(dataDir);
      },
    });
    await service.close();
    expect(formatFindings(outcome)).toEqual([]);
    expect(outcome.run.verdict).toBe('inconclusive');
    expect(outcome.run.reason).toMatch(/API key was refused \(status 401\)/);
    expect(outcome.recording.exchanges.length).toBeLessThan(recording.exchanges.length);
  });
});

test('a run with a key beyond its limit is judged completely', async () => {
  const outcome = await checked({
    quota: { limit: 500, remaining: 10 },
    choices: { overLimit: 'served' },
  });
  expect(formatFindings(outcome)).toEqual([]);
  expect(outcome.run.verdict).toBe('conformant');
  const reported = outcome.run.observations.find((observation) => observation.id === 'quota/over-limit');
  expect(reported?.answer).toBe('served');
});

test('concurrent requests are counted individually', async () => {
  const outcome = await checked({});
  expect(findOutcome(outcome, 'quota/counts-in-parallel')).toBe('passed');
  expect(findOutcome(outcome, 'quota/parallel-counts-differ')).toBe('passed');
});

test('a second key shows that keys are counted separately', async () => {
  const outcome = await checked({}, (service) => ({
    otherKey: service.issueKey({ monthlyLimit: 300, hardCap: false }),
  }));
  expect(formatFindings(outcome)).toEqual([]);
  expect(findOutcome(outcome, 'quota/keys-are-counted-apart')).toBe('passed');
});

test('a refused second key breaks nothing', async () => {
  const outcome = await checked({}, () => ({ otherKey: 'x'.repeat(32) }));
  expect(formatFindings(outcome)).toEqual([]);
  expect(outcome.run.verdict).toBe('conformant');
  expect(findOutcome(outcome, 'quota/keys-are-counted-apart')).toBe('unexercised');
});

/** Returns a running clock that jumps ahead by `byMs` after `reads` readings. */
function jumping(from: string, reads: number, byMs: number): () => number {
  const begun = performance.now();
  let read = 0;
  return () => {
    read += 1;
    return Date.parse(from) + performance.now() - begun + (read > reads ? byMs : 0);
  };
}

for (const reads of [5, 20, 40]) {
  test(`a month that ends after ${reads} reads of the clock breaks nothing`, async () => {
    const now = jumping('2026-03-31T23:57:00Z', reads, 360_000);
    const outcome = await checked({ now, quota: { limit: 500, remaining: 200 } });
    expect(formatFindings(outcome)).toEqual([]);
    expect(outcome.run.verdict).not.toBe('nonconformant');
  });
}

test('a month that ends within a run shows that counters restart', async () => {
  const now = jumping('2026-03-31T23:57:00Z', 15, 360_000);
  const outcome = await checked({ now, quota: { limit: 500, remaining: 200 } });
  expect(findOutcome(outcome, 'quota/resets-at-its-time')).toBe('passed');
  expect(findOutcome(outcome, 'quota/resets-are-a-month-apart')).toBe('passed');
});
