import { expect, test } from '@playwright/test';
import { judgeIt } from '../../worlds/breach-case.ts';
import { damageExchange, rows } from '../../worlds/damage.ts';
import { record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

test('missing rows are drawn as the gaps of all that the answer spans', () => {
  const healthy = record(usualWorld);
  const name = 'week HOUR';
  const torn = damageExchange(
    healthy,
    name,
    rows((all) => all.filter((_, at) => at !== 30 && at !== 31 && at !== 70)),
  );
  const place = torn.names.indexOf(name);
  const { findings } = judgeIt(torn);
  const example = findings
    .find(({ rule }) => rule === 'history/wider-range-holds-more')
    ?.examples.find(({ exchange }) => exchange === place);
  const { strip, missing = [] } = example?.picture ?? {};
  expect(missing).toHaveLength(3);
  expect(strip?.gaps.map(({ start, end }) => (end - start) / 3600)).toEqual([2, 1]);
  expect((strip?.gaps[0]?.start ?? 0) - (strip?.start ?? 0)).toBe(30 * 3600);
  expect(((strip?.end ?? 0) - (strip?.start ?? 0)) / 3600).toBeGreaterThan(100);
});
