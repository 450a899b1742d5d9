import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { wordProgress } from './client.ts';

const spec = loadSpec('openapi.yaml');

test('a check away from loopback tells how long its pace takes before it sends anything', () => {
  const remote = { isLoopback: false, spec };
  expect(wordProgress([0, 46], remote)).toBe('0 of 46 requests, about 10 s left');
  expect(wordProgress([6, 46], remote, 20)).toBe('6 of 46 requests, about 2 s left');
  expect(wordProgress([0, 46], { ...remote, spec: { ...spec, ratePerMinute: 30 } })).toBe(
    '0 of 46 requests, about 92 s left',
  );
  expect(wordProgress([14, 46], remote, undefined, { broken: 0, sent: 10 })).toBe(
    '14 of 46 requests, nothing broken in 10, about 7 s left',
  );
  expect(wordProgress([14, 46], remote, 20, { broken: 1, sent: 10 })).toContain('1 rule broken in 10');
  expect(wordProgress([46, 46], remote)).toBe('46 of 46 requests');
  expect(wordProgress([3, 48], { isLoopback: true, spec })).toBe('3 of 48 requests');
});
