import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

test('without a word the command says what it is, and three commands that it understands', async () => {
  const { code, stdout, stderr } = await candleproof([]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  expect(stdout).toMatch(/^Candleproof checks a market-data API against its document/);
  const named = [...stdout.matchAll(/^ {2}npx candleproof (\w+)/gm)].map(([, name = '']) => name);
  expect(named).toHaveLength(3);
  const { stdout: help } = await candleproof(['--help']);
  for (const command of named) expect(help).toMatch(new RegExp(`^  ${command} `, 'm'));
});
