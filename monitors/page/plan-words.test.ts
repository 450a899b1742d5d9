import { type MonthAccount, usualShares } from '@candleproof/law/planning/allowance';
import { spec } from '@candleproof/law/worlds/breach-case';
import { expect, test } from '@playwright/test';
import { defaultDefinition } from '../config/definition.ts';
import { planMonitoring } from '../plan/plan.ts';
import { monitorPlanInWords, spanInWords } from './plan-words.ts';

const now = Date.UTC(2026, 9, 11);
const reset = Date.UTC(2026, 10, 1) - 1;
const definition = defaultDefinition(spec, {
  name: 'mainnet',
  baseUrl: 'https://a.host',
  pools: { v1: [], v2: [1] },
  keyless: false,
  soleUser: true,
});

function words(account: MonthAccount, objectives = definition.objectives): string {
  const keys = [{ name: 'main', account, shares: usualShares, targets: ['mainnet'] }];
  return monitorPlanInWords(planMonitoring({ definition: { ...definition, objectives }, keys, now }), 'here');
}

test('a month that is spent too fast is reported with the day on which it ends', () => {
  const text = words({ limit: 10_000, remaining: 4000, reset });
  expect(text).toContain('key main: 10,000 requests a month, as its last answer said');
  expect(text).toContain(
    '4,000 left until 2026-10-31 23:59 UTC; 600 a day so far: only the reserve is left by 2026-10-16 00:00 UTC',
  );
  // The plan takes more from now on than the month has seen.
  const quiet = words({ limit: 10_000, remaining: 9000, reset });
  expect(quiet).toMatch(/9,000 left until 2026-10-31 23:59 UTC; \d+ a day as planned: the month lasts/);
});

test('a month that is over says nothing of its pace', () => {
  expect(words({ limit: 10_000, remaining: 4000, reset: now - 1 })).not.toContain('a day so far');
});

test('the bill names the daily recheck of a stopped key, and whether the reserve pays for it', () => {
  expect(words({ limit: 10_000, remaining: 900, reset })).toContain(
    '\n  while the probes are stopped, mainnet/tokens rechecks the key once a day: at most 31 requests of the reserve\n',
  );
  expect(words({ limit: 10_000, remaining: 0, reset })).toContain(
    '\n  stopped probes learn nothing before the reset: too little is left for a recheck by mainnet/tokens (1)\n',
  );
});

test('without objectives nothing is proved and no alert fires', () => {
  expect(words({ limit: 10_000, remaining: 4000, reset }, [])).not.toMatch(/proves|alert/);
});

test('what a month proves is rounded down, and its figures stand below each other', () => {
  const text = words({ limit: 5_000_000, remaining: 5_000_000, reset });
  expect(text).toContain('slots prove 99.996 %');
  expect(text).toMatch(/\n {2}mainnet\/tokens {3}every 1 min \(budget\) {2}44640 {2}44640 slots of 1\n/);
  expect(text).toMatch(/\n {2}mainnet\/deep {5}every 7 d {15}120 {2}5 slots of 24\n/);
});

test('spans are reported in their two longest units', () => {
  expect([1000, 1_367_000, 90_061_000, 7 * 86_400_000].map(spanInWords)).toEqual([
    '1 s',
    '22 min 47 s',
    '1 d 1 h',
    '7 d',
  ]);
});
