import type { KeyPlan, MonitorPlan } from '@candleproof/monitors/plan/plan';
import { expect, test } from '@playwright/test';
import type { Config } from './config.ts';
import { refuseOverspent } from './overspent.ts';

const config = {
  file: 'candleproof.yaml',
  monitoring: { probes: [] },
  pathLine: () => 9,
} as unknown as Config;
const probe = { kind: 'light', name: 'tokens', target: 'main', rhythm: { every: 60_000 } };

const refusal = (known: KeyPlan['known']): string => {
  const key = { key: 'main', targets: ['main'], limit: 10_000, budget: 6000, lacking: 38_640, known };
  const plan = { keys: [{ ...key, over: { probe, requests: 44_640 } }] } as unknown as MonitorPlan;
  try {
    refuseOverspent(plan, config);
    return '';
  } catch (error) {
    return String(error);
  }
};

test('a limit that an answer named is said to outrank that of the config', () => {
  expect(refusal('answer')).toContain('has 6000 of the 10000 that its last answer named for monitors');
  expect(refusal('config')).toContain('has 6000 for monitors');
});
