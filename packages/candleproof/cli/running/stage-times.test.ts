import { candleproof } from '@candleproof/command/command';
import { expect, test } from '@playwright/test';

test('a check says where its time went, in stages that add up', async () => {
  const out = test.info().outputPath('out');
  const { code, stderr } = await candleproof(['check', 'local', '--timings', '--out', out]);
  expect(code).toBe(0);
  const [, whole, stages = ''] = /^timings: ([\d.]+) s: (.*)$/m.exec(stderr) ?? [];
  const counted = stages.replace(/ \((\d+); summed: connecting [\d.]+, waiting [\d.]+\)/, '');
  expect(counted).not.toBe(stages);
  const parts = counted.split(', ').map((stage) => stage.split(' '));
  expect(parts.map(([name]) => name)).toEqual([
    ...['start', 'document', 'service', 'requests', 'judging', 'closing', 'reports'],
  ]);
  const sum = parts.reduce((total, [, seconds]) => total + Number(seconds), 0);
  expect(Math.abs(sum - Number(whole))).toBeLessThan(0.04);
});
