import { expect, test } from '@playwright/test';
import { loadSpec } from '../contract/document/load-spec.ts';
import type { Choices } from '../service/api/choices.ts';
import type { ServiceOptions } from '../service/start.ts';
import { startBuilt } from '../service/testing/built-market.ts';
import { checkService } from './check-service.ts';
import { withTemporaryFolder } from './testing/distorted-service.ts';
import { formatFindings } from './testing/explore-service.ts';

const spec = loadSpec('openapi.yaml');

const thursday = 0;
const sunday = 3 * 86_400;

/** Alternatives to the choices that the document leaves open, one at a time and all at once. */
const others: Record<string, Partial<Choices>> = {
  'a missing key answered 403': { missingKeyStatus: 403 },
  'errors as a bare message': { errorBody: 'message' },
  'weeks from Thursday': { weekAnchor: thursday },
  'weeks from Sunday': { weekAnchor: sunday },
  'from <= start < to': { membership: 'start-in-range' },
  'the open candle left out of the history': { openInHistory: false },
  'the open candle stamped with its interval end': { openEnd: 'interval-end' },
  'extra fields': { extraFields: true },
  'a quota month at UTC-4': { quotaZone: 'Etc/GMT+4' },
  'descending rows': { order: 'descending' },
  'all of these together': {
    missingKeyStatus: 403,
    errorBody: 'message',
    weekAnchor: thursday,
    membership: 'start-in-range',
    openInHistory: false,
    openEnd: 'interval-end',
    extraFields: true,
    quotaZone: 'Etc/GMT+4',
    order: 'descending',
  },
};

const instants = ['2026-03-11T15:32:20Z', '2026-03-11T23:59:59.900Z', '2026-03-16T00:00:00Z'];

for (const [what, choices] of Object.entries(others)) {
  const isUsual = what === 'all of these together';
  test(`a healthy service with ${what} is conformant`, isUsual ? {} : { tag: '@thorough' }, () =>
    expectConformant({ choices }),
  );
}

test('a healthy service that serves a key beyond its limit is conformant', { tag: '@endurance' }, () =>
  expectConformant({ quota: { limit: 500, remaining: 5 }, choices: { overLimit: 'served' } }),
);

for (const historyDays of [1, 3, 9]) {
  test(
    `a healthy service whose pools are ${historyDays} days old is conformant`,
    { tag: historyDays === 1 ? '@endurance' : '@thorough' },
    () => expectConformant({ historyDays }),
  );
}

async function expectConformant(options: Omit<ServiceOptions, 'dataDir' | 'clock'>): Promise<void> {
  await withTemporaryFolder(async (dataDir) => {
    let now = Date.parse(instants[0] ?? '');
    let since = performance.now();
    const service = await startBuilt({
      dataDir,
      historyDays: 18,
      ...options,
      now: () => now + performance.now() - since,
    });
    try {
      for (const instant of instants) {
        now = Date.parse(instant);
        since = performance.now();
        const outcome = await checkService(service, { spec });
        expect(formatFindings(outcome), instant).toEqual([]);
        expect(outcome.run.verdict, instant).toBe('conformant');
      }
    } finally {
      await service.close();
    }
  });
}
