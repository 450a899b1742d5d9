import { expect, test } from '@playwright/test';
import { sampleRules } from '../testing/sample-rules.ts';
import { cleanRun, inconclusiveRun, sampleRun } from '../testing/sample-run.ts';
import {
  describeTransients,
  formatKeyQuota,
  formatRequests,
  groupUnjudged,
  tallyRules,
  verdictSentence,
} from './tally.ts';

test('a tally counts each rule of its level once', () => {
  for (const level of ['must', 'should', 'observe'] as const) {
    const { total, by } = tallyRules(sampleRules, level);
    expect(Object.values(by).reduce((sum, count) => sum + count, 0)).toBe(total);
  }
});

test('rules without a judgement are gathered by reason, questions left out', () => {
  const open = groupUnjudged(sampleRules);
  expect(open.get('no closed week was requested: the pool is younger than eight days')).toHaveLength(2);
  expect([...open.keys()]).not.toContain('no answer reported');
});

test('the sentence of a verdict gives its reason', () => {
  expect(verdictSentence(sampleRun)).toBe('7 of 13 judged musts failed, 2 of 15 not judged.');
  expect(verdictSentence(inconclusiveRun)).toBe('The API key was refused (status 403).');
  expect(verdictSentence(cleanRun)).toBe('Every must holds.');
});

test('a must that was not put to the test is never said to hold', () => {
  const rules = cleanRun.rules.map((rule, index) =>
    index === 0 ? { ...rule, outcome: 'unexercised' as const } : rule,
  );
  expect(verdictSentence({ ...cleanRun, rules })).toMatch(/^All \d+ musts? that could be tested hold\.$/);
});

test('failings that the baseline knows are named beside a conformant verdict', () => {
  const rules = cleanRun.rules.map((rule, index) =>
    index === 0 ? { ...rule, outcome: 'known' as const } : rule,
  );
  expect(verdictSentence({ ...cleanRun, rules })).toBe(
    'Every must holds, but for 1 that the baseline knows.',
  );
});

test('transient failures are reported with what they were', () => {
  expect(describeTransients(sampleRun)).toBe('status 503 2 times at GET /tokens, answered when sent again');
  expect(describeTransients(cleanRun)).toBeUndefined();
});

test('requests are a share of the key’s own month where an answer reported it', () => {
  const requests = { sent: 48, budget: 60 };
  const quota = { limit: 20, remaining: 0, additional: 45 };
  const target = {};
  expect(formatRequests({ requests, quota, target })).toBe(
    '48 requests, 240 % of the key’s month of 20 (budget 60)',
  );
  expect(formatKeyQuota({ quota })).toBe('0 of 20 left, 45 beyond the limit');
  expect(formatRequests({ requests, target })).toBe(
    '48 requests, 0.48 % of a month of 10,000, assumed as in the document’s example (budget 60)',
  );
  expect(formatRequests({ requests, target, quota: { ...quota, limit: 0 } })).not.toMatch(/Infinity|NaN/);
});

test('a target without keys and a refused key have no quota to take a share of', () => {
  const requests = { sent: 3, budget: 60 };
  const quota = { limit: 0, remaining: 0, additional: 0 };
  const keyless = { keyless: true } as const;
  const unneeded = '3 requests, no key needed, so no quota is spent (budget 60)';
  expect(formatRequests({ requests, quota, target: keyless })).toBe(unneeded);
  expect(formatRequests({ requests, target: keyless })).toBe(unneeded);
  expect(formatRequests({ requests, quota, target: {} })).toBe(
    '3 requests, the key was refused, so its quota is unknown (budget 60)',
  );
  expect(formatKeyQuota({ quota })).toBeUndefined();
});

test('transient failures have the requests that they were among', () => {
  const transient = [
    {
      operation: 'listTokens',
      named: { title: 'List tokens', request: 'GET /tokens' },
      failure: 'status 503',
      count: 2,
      of: 9,
    },
  ] as const;
  expect(describeTransients({ ...cleanRun, transient })).toBe(
    'status 503 in 2 of 9 requests at GET /tokens, answered when sent again',
  );
});
