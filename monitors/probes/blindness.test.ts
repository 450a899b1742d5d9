import { expect, test } from '@playwright/test';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { movedClock } from '../testing/watched-service.ts';
import { day, makeDefinition, noon, shares, tokensProbe, Watching } from '../testing/watching.ts';

test('a 429 counts as a spent quota only if the counters confirm it', async () => {
  const clock = movedClock(noon);
  const month = { limit: 10_000_000, used: 600, reset: noon + 10 * day };
  const key = { name: 'main', text: 'k', shares };
  const answer = () => ({ status: 429, body: '' });
  const target = scriptedTarget({ name: 'mainnet', clock, answer, month, key });
  const definition = makeDefinition([tokensProbe('mainnet')]);
  const watching = await Watching.open({ definition, targets: [target], clock });
  expect(await watching.slot()).toMatchObject({
    outcome: 'limited',
    reason: 'rate limited (429): 9,999,399 requests of the month were left',
  });
  month.used = month.limit;
  expect(await watching.slot()).toMatchObject({ outcome: 'limited', reason: 'the quota is spent' });
});

test('a 429 without counters is read by those of the answer before it', async () => {
  const clock = movedClock(noon);
  const answer = (count: number) => ({ status: count > 1 ? 429 : 200, body: '[]' });
  const key = { name: 'main', text: 'k', shares };
  const target = scriptedTarget({ name: 'mainnet', clock, answer, key });
  const watching = await Watching.open({
    definition: makeDefinition([tokensProbe('mainnet')]),
    targets: [target],
    clock,
  });
  await watching.slot();
  const counted = { at: noon, limit: 10, remaining: 4, additional: 0, resetAt: noon + day };
  await watching.store.record({ quotas: [{ key: 'main', ...counted }] });
  expect(await watching.slot()).toMatchObject({
    reason: 'rate limited (429): 4 requests of the month were left when last counted',
  });
});
