import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof, flagsFor } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';
import { startTarget } from './testing/target.ts';

test('an exploration keeps its counterexample and tries it first the next time', async () => {
  const folder = test.info().outputPath('explore');
  const served = await startTarget(folder, { faults: ['F50:20'] });
  const kept = join(folder, 'counterexamples.json');
  const flags = [
    ...flagsFor(served.ready),
    '--seed',
    '7',
    '--counterexamples',
    kept,
    '--out',
    join(folder, 'out'),
  ];
  const found = await candleproof(['explore', ...flags, '--budget', '120']);
  expect(found.code).toBe(1);
  expect(existsSync(kept)).toBe(true);
  const again = await candleproof(['explore', ...flags, '--budget', '60']);
  await served.stop();
  expect(again.code).toBe(1);
  const { requests } = JSON.parse(readFileSync(join(folder, 'out', 'run.json'), 'utf8'));
  expect(requests.sent).toBeLessThanOrEqual(6);
});

test('exploring the embedded service finds nothing', { tag: '@endurance' }, async () => {
  const { code, stderr } = await candleproof(['explore', 'local', '--out', test.info().outputPath('out')]);
  expect([code, stderr]).toEqual([0, '']);
});
