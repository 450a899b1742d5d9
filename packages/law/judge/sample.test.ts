import { expect, test } from '@playwright/test';
import { judgeIt } from '../worlds/breach-case.ts';
import { damageExchange, fields } from '../worlds/damage.ts';
import { record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

test('a run without findings keeps its newest closed hours, and one with findings none', () => {
  const healthy = record(usualWorld);
  const sample = judgeIt(healthy).read?.sample;
  expect(sample).toMatchObject({ pool: 'V2 pool 1', interval: 'HOUR' });
  expect(sample?.candles).toHaveLength(48);
  const newest = sample?.candles.at(-1);
  expect(usualWorld.now - (newest?.end ?? 0)).toBeLessThan(2 * 3600);
  const torn = damageExchange(healthy, 'week HOUR', fields(3, { high: 0.000001 }));
  expect(judgeIt(torn).read?.sample).toBeUndefined();
});
