import { expect, test } from '@playwright/test';
import { formatReason, type Reason } from '../../contract/judge/reason.ts';
import { nextStep } from './next-step.ts';

const silence = { withheld: [], unreadable: 0, candles: 3, musts: [] };

const steps: readonly (readonly [reason: Reason, words: string, step: RegExp])[] = [
  [{ code: 'key-refused', status: 403 }, 'the API key was refused (status 403)', /--api-key-file/],
  [
    { code: 'key-required', status: 401 },
    'the target asks for a key (status 401), though it was said to need none',
    /--keyless/,
  ],
  [{ code: 'quota-spent' }, 'the quota or the rate limit is spent (status 429)', /reset/],
  [
    { code: 'month-spent', remaining: 0, limit: 20 },
    'the month leaves no request for a check: 0 of 20 remain, kept for others',
    /reset/,
  ],
  [
    { code: 'certificate-refused', failure: 'certificate (self-signed)' },
    'the target did not answer: certificate (self-signed)',
    /--ca-file/,
  ],
  [
    { code: 'no-answer', failure: 'unreachable (ECONNREFUSED)' },
    'the target did not answer: unreachable (ECONNREFUSED)',
    /base URL/,
  ],
  [{ code: 'nothing-requested' }, 'no proper request to any of the operations was made', /base URL/],
  [
    { code: 'bodies-not-recorded' },
    'this recording holds no bodies; record it with embedded content',
    /bodies/,
  ],
  [
    { code: 'bodies-over-limit', answers: 1 },
    '1 answer was left unjudged, since all together pass what a run keeps: --max-body raises it',
    /--max-body/,
  ],
  [
    { code: 'rule-crashed', rule: 'candle/x', crash: 'the rule itself failed: lost the thread' },
    'candle/x: the rule itself failed: lost the thread',
    /defect of Candleproof/,
  ],
  [
    {
      code: 'no-date',
      ...silence,
      musts: [{ cause: 'no-date', text: 'no Date header that can be used', rules: ['a', 'b', 'c'] }],
    },
    'no Date header that can be used: 3 musts could not be judged: a, b, c',
    /Date header/,
  ],
  [
    { code: 'rows-withheld', ...silence, withheld: ['the token list (no readable row in 2 answers)'] },
    'rows were withheld: the token list (no readable row in 2 answers)',
    /ask the operator/,
  ],
  [
    { code: 'rows-unreadable', ...silence, unreadable: 1 },
    '1 of 3 candles have no readable start or prices',
    /times and prices/,
  ],
  [
    {
      code: 'answers-broken',
      ...silence,
      musts: [{ cause: 'answers-broken', text: 'the answers break candle/x', rules: ['a'] }],
    },
    'the answers break candle/x: 1 must could not be judged: a',
    /named rule/,
  ],
  [
    {
      code: 'musts-silenced',
      ...silence,
      musts: [{ cause: 'silence', text: 'no latest candle is of the present', rules: ['a'] }],
    },
    'no latest candle is of the present: 1 must could not be judged: a',
    /traded now/,
  ],
  [
    { code: 'stopped', sent: 3, cause: 'the deadline of 9 s passed' },
    'stopped after 3 requests: the deadline of 9 s passed',
    /--deadline/,
  ],
  [
    { code: 'nothing-judged', operations: ['listTokens'], ends: ['status 404'] },
    'nothing could be judged of listTokens (status 404)',
    /pools and the base URL/,
  ],
  [{ code: 'load-undecided', doubts: ['something else'] }, 'something else', /mend it/],
];

for (const [reason, words, step] of steps) {
  test(`the reason ${reason.code} has its words and its advice`, () => {
    expect(formatReason(reason)).toBe(words);
    expect(nextStep({ verdict: 'inconclusive', reasonCode: reason.code })).toMatch(step);
  });
}

test('a run of before reasons had codes gets the general advice', () => {
  expect(nextStep({ verdict: 'inconclusive' })).toMatch(/mend it/);
});

test('a run that decided has no next step', () => {
  expect(nextStep({ verdict: 'conformant' })).toBeUndefined();
  expect(nextStep({ verdict: 'nonconformant', reasonCode: 'musts-failed' })).toBeUndefined();
});
