import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor } from '@candleproof/command/command';
import type { Run } from '@candleproof/law/judge/verdict';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';

/** Runs a check with `--budget auto` on the month's 16th day, with `remaining` of 1,000 requests left. */
async function checkWith(remaining: number): Promise<{ code: number | null; run: Run }> {
  const folder = test.info().outputPath(`with-${remaining}`);
  const quota = { limit: 1000, remaining };
  const served = await startTarget(folder, { now: '2026-11-16T00:00:00Z', quota });
  const out = join(folder, 'out');
  const { code } = await candleproof(['check', ...flagsFor(served.ready), '--budget', 'auto', '--out', out]);
  await served.stop();
  return { code, run: JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) };
}

test('a full month pays for a whole check', { tag: '@endurance' }, async () => {
  const { code, run } = await checkWith(900);
  expect([code, run.verdict]).toEqual([0, 'conformant']);
  expect(run.requests.sent).toBeGreaterThan(30);
});

test('a month that runs short pays for a smaller check', async () => {
  // The reserve keeps 100 of 1,000 and the others 375 for the half month that is left.
  const { code, run } = await checkWith(490);
  expect([code, run.verdict]).toEqual([0, 'conformant']);
  expect(run.requests.sent).toBeLessThanOrEqual(16);
  expect(run.rules.some((rule) => rule.outcome === 'unexercised')).toBe(true);
});

test('a month that others need leaves the check inconclusive after one request', async () => {
  const { code, run } = await checkWith(300);
  expect([code, run.requests.sent]).toEqual([3, 1]);
  expect(run.reason).toBe('the month leaves no request for a check: 299 of 1000 remain, kept for others');
});
