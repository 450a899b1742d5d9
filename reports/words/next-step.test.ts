import { expect, test } from '@playwright/test';
import { nextStep } from './next-step.ts';

const steps: readonly (readonly [reason: string, step: RegExp])[] = [
  ['the API key was refused (status 403)', /--api-key-file/],
  ['the key was refused (401)', /--api-key-file/],
  ['the target asks for a key (status 401), though it was said to need none', /--keyless/],
  ['the quota or the rate limit is spent (status 429)', /reset/],
  ['the month leaves no request for a check: 0 of 20 remain, kept for others', /reset/],
  ['the target did not answer: certificate (self-signed)', /--ca-file/],
  ['the target did not answer: unreachable (ECONNREFUSED)', /base URL/],
  ['this recording holds no bodies; record it with embedded content', /bodies/],
  [
    '1 answer was left unjudged, since all together pass what a run keeps: --max-body raises it',
    /--max-body/,
  ],
  ['candle/x: the rule itself failed: lost the thread', /defect of Candleproof/],
  ['no Date header that can be used: 3 musts could not be judged: a, b, c', /Date header/],
  ['stopped after 3 requests: the deadline', /--deadline/],
  ['nothing could be judged of listTokens (status 404)', /pools and the base URL/],
  ['something else', /mend it/],
];

for (const [reason, step] of steps) {
  test(`a run that ends with "${reason}" says what to do next`, () => {
    expect(nextStep({ verdict: 'inconclusive', reason })).toMatch(step);
  });
}

test('a run that decided has no next step', () => {
  expect(nextStep({ verdict: 'conformant' })).toBeUndefined();
  expect(nextStep({ verdict: 'nonconformant', reason: '1 must failed: a/b' })).toBeUndefined();
});
