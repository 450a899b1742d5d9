import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { startService } from '@candleproof/reference-service/start';
import { ingestSparseMarket, type SparseMarket } from '@candleproof/reference-service/testing/sparse-market';
import { expect, test } from '@playwright/test';
import { checkService } from 'candleproof/kill-matrix/check-service';
import { withTemporaryFolder } from './testing/distorted-service.ts';
import { formatFindings } from './testing/explore-service.ts';

const spec = loadSpec('openapi.yaml');
const now = Date.parse('2026-03-11T15:32:20Z');

type Quiet = Omit<SparseMarket, 'seed' | 'days' | 'now'>;

/** Markets that are not always observed, and how their missing rows are classified. */
const markets: Readonly<Record<string, { quiet: Quiet; kind: string; sentence: RegExp; isUsual?: true }>> = {
  'is observed when it trades': {
    quiet: { tradesOnly: true },
    kind: 'consistent',
    sentence:
      /^[\d,]+ of [\d,]+ (five-minute|hourly) candles of V2 pool \d are missing.*; nothing shows trading then\.$/,
  },
  'lost stretches of 47 minutes': {
    quiet: { losses: { minutes: 47, share: 0.2 } },
    kind: 'consistent',
    sentence:
      /^[\d,]+ of [\d,]+ five-minute candles of V2 pool \d are missing.*; nothing shows trading then\.$/,
  },
  'lost stretches of three hours in all pools at once': {
    quiet: { losses: { minutes: 200, share: 0.15, together: true } },
    kind: 'consistent',
    sentence:
      /^[\d,]+ of [\d,]+ (five-minute|hourly) candles of V2 pool \d are missing.*; nothing shows trading then\.$/,
  },
  'fell silent two hours ago': {
    quiet: { v2EndsBefore: 7200 },
    kind: 'at the end',
    sentence: /^V2 pool 1 ends early, at 2026-03-11T13:4\d:00Z: [\d,]+ of [\d,]+ five-minute candles are/,
  },
  'fell silent three days ago': {
    quiet: { v2EndsBefore: 3 * 86_400 },
    kind: 'at the end',
    sentence: /^V2 pool 1 ends early, at 2026-03-08T15:45:00Z: [\d,]+ of [\d,]+ five-minute candles are/,
    isUsual: true,
  },
};

/** Checks the same market without and with the declaration, then with a fault in the service as well. */
async function checked(quiet: Quiet, fault: string): Promise<readonly RunOutcome[]> {
  return withTemporaryFolder(async (dataDir) => {
    await ingestSparseMarket(dataDir, { seed: 2, days: 18, now: now / 1000 + 600, ...quiet });
    const began = performance.now();
    const service = await startService({ dataDir, now: () => now + performance.now() - began });
    try {
      const plain = await checkService(service, { spec, seed: 3 });
      const declared = await checkService(service, { spec, seed: 3, gaps: 'idle' });
      service.switchFaults([fault]);
      return [plain, declared, await checkService(service, { spec, seed: 3, gaps: 'idle' })];
    } finally {
      await service.close();
    }
  });
}

for (const [what, { quiet, kind, sentence, isUsual }] of Object.entries(markets)) {
  test(`a market that ${what} is reported as quiet and breaks nothing if declared`, {
    tag: isUsual ? '@endurance' : '@thorough',
  }, async () => {
    test.setTimeout(120_000);
    const [plain, declared, faulty] = await checked(quiet, 'noon-is-missing');
    expect([...new Set(plain?.run.findings.map(({ rule }) => rule))]).toEqual(['history/complete']);
    expect(plain?.run.findings[0]).toMatchObject({ kind, sentence: expect.stringMatching(sentence) });
    expect(
      plain?.run.findings.flatMap(({ examples }) => examples.map(({ actual }) => actual)).join(),
    ).not.toContain('rows were lost');
    expect(declared && formatFindings(declared)).toEqual([]);
    expect(declared?.run.verdict).toBe('conformant');
    expect(declared?.run.target.gaps).toBe('idle');
    const observed = declared?.run.observations.find(({ id }) => id === 'history/unobserved-intervals');
    expect(observed?.answer).toBe(kind === 'at the end' ? 'newest not observed' : 'amid others not observed');
    expect(faulty?.run.verdict).toBe('nonconformant');
  });
}
