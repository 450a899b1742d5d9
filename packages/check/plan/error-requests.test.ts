import { loadSpec } from '@candleproof/document/spec/load-spec';
import { requireOperation } from '@candleproof/document/spec/operation';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { readExchange } from '@candleproof/law/reading/reading';
import { errorCases } from '@candleproof/law/rules/error-cases';
import { faultyNeed } from '@candleproof/law/rules/refusal-needs';
import { findTrigger } from '@candleproof/law/rules/trigger';
import { expect, test } from '@playwright/test';
import { errorRequest } from './error-requests.ts';

const spec = loadSpec('openapi.yaml');
const target: TargetFacts = {
  name: 'target',
  baseUrl: 'https://target.invalid/api',
  pools: { v1: [3], v2: [4] },
  keyless: false,
  soleUser: true,
};

const proper = {
  spec,
  target,
  operation: requireOperation(spec, 'history'),
  pool: 4,
  from: 1_772_409_600,
  to: 1_773_014_400,
  tag: '"a"',
};

for (const errorCase of errorCases) {
  test(`the request of ${errorCase} is read back as what it is`, () => {
    const operation = requireOperation(spec, faultyNeed(errorCase).role);
    const pool = operation.role === 'latest' ? 3 : 4;
    const made = errorRequest(errorCase, { ...proper, operation, pool });
    if (!made) throw new Error('no request');
    const { path, method = 'GET', headers = [] } = made;
    const credential = errorCase.startsWith('unkeyed') ? 'none' : 'api-key';
    const request = { method, url: `${target.baseUrl}${path}`, headers, credential } as const;
    const answer = readExchange(spec, target, { request, timings: { total: 1 }, startedAt: '' }, 0);
    expect(findTrigger(spec, target, answer)).toBe(errorCase);
    expect(answer.entitled).toBe(['not-modified', 'tag-unknown'].includes(errorCase));
  });
}

test('a token list without a tag is not requested once more', () => {
  const { tag: _, ...untagged } = proper;
  expect(
    errorRequest('not-modified', { ...untagged, operation: requireOperation(spec, 'tokens') }),
  ).toBeUndefined();
});

test('the unknown pool is none of those that are checked', () => {
  const odd = { ...proper, target: { ...target, pools: { v2: [999_999_937] } } };
  expect(errorRequest('pool-unknown', odd)?.path).not.toContain('999999937');
});
