import { errorCases } from '@candleproof/law/rules/error-cases';
import type { Need } from '@candleproof/law/rules/rule';
import { expect, test } from '@playwright/test';
import { countRequests, formatEvidence } from './evidence-text.ts';

const hours: Need = { role: 'history', interval: 'hour', range: 'recent' };

test('needs that one request meets are counted once', () => {
  expect(countRequests([hours, { ...hours, pools: 'each' }])).toBe(1);
  expect(countRequests([hours, { ...hours, inverted: false }, { ...hours, unkeyed: true }])).toBe(3);
});

test('evidence is reported in words, its conditions too', () => {
  expect(formatEvidence([{ role: 'tokens' }])).toBe('1 request: token list');
  expect(
    formatEvidence([
      { ...hours, inverted: true, pools: 'each' },
      { ...hours, speltOtherwise: true },
    ]),
  ).toBe('2 requests: history hour recent, inverted, each pool; history hour recent, spelt otherwise');
});

test('faulty requests stand together, of which a run draws some', () => {
  const cases = (['from-left-out', 'pool-unknown'] as const).map(
    (errorCase): Need => ({ ...hours, errorCase }),
  );
  expect(formatEvidence([hours, ...cases])).toBe(
    'at most 3 requests: history hour recent; faulty requests (from left out, pool unknown)',
  );
});

test('trial keys stand together, and many kinds of faults are only counted', () => {
  const trials = (['random', 'in-query'] as const).map((trial): Need => ({ role: 'tokens', trial }));
  expect(formatEvidence(trials)).toBe('at most 2 requests: trials of the key (random, in query)');
  expect(formatEvidence(errorCases.map((errorCase): Need => ({ ...hours, errorCase })))).toBe(
    `at most ${errorCases.length} requests: ${errorCases.length} kinds of faulty requests`,
  );
});
