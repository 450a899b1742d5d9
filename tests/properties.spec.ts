import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { targetArguments } from './support/target-from-environment.ts';

/** Exit code of a command line that could not be carried out. */
const refused = 2;

/** Most requests; beyond the embedded service somebody's quota pays for them, and has to say how many. */
function budget(
  { CANDLEPROOF_EXPLORE: reported }: NodeJS.ProcessEnv,
  isEmbedded: boolean,
): string | undefined {
  return reported || (isEmbedded ? '60' : undefined);
}

test('answers to requests that nobody planned break no rule', { tag: '@must' }, () => {
  const target = targetArguments(process.env);
  const { CANDLEPROOF_TARGET: name = 'local', CANDLEPROOF_BASE_URL: baseUrl } = process.env;
  const most = budget(process.env, name === 'local' && baseUrl === undefined);
  test.skip(most === undefined, 'CANDLEPROOF_EXPLORE does not say how many requests this may cost');
  const args = [...target, '--budget', String(most), '--out', join('reports', 'out', 'explored')];
  const command = [join('cli', 'candleproof.js'), 'explore', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect(status, stderr).not.toBe(refused);
  expect(status, stdout).toBe(0);
});
