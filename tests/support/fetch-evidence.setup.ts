import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { runFolder } from './run-store.ts';
import { targetArguments } from './target-from-environment.ts';

/** Requests everything from the target: one run, whatever the tests, their number and their retries. */
test('evidence is fetched', async () => {
  test.setTimeout(10 * 60_000);
  const { CI = '', CANDLEPROOF_API_KEY: key } = process.env;
  const environment = { CI, ...(key !== undefined && { CANDLEPROOF_API_KEY: key }) };
  const args = ['check', ...targetArguments(process.env), '--out', runFolder];
  const { code, stderr } = await candleproof(args, environment);
  expect(code, stderr).not.toBe(2);
});
