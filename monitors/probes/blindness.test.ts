import { expect, test } from '@playwright/test';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { movedClock } from '../testing/watched-service.ts';
import { always, day, makeDefinition, noon, shares, tokensProbe, Watching } from '../testing/watching.ts';

for (const [status, why] of [
  [401, 'the key was refused (401)'],
  [429, 'rate limited (429)'],
] as const) {
  test(`a target that answers ${status} to everything pages although no objective is missed`, async () => {
    const clock = movedClock(noon);
    const answer = (count: number) => ({ status: count > 2 && count < 7 ? status : 200, body: '[]' });
    const target = scriptedTarget({ name: 'mainnet', clock, answer });
    const objectives = [{ indicator: 'availability', objective: 0.99 }] as const;
    const definition = makeDefinition([tokensProbe('mainnet')], { objectives });
    const watching = await Watching.open({ definition, targets: [target], clock });
    for (const _ of [1, 2, 3, 4, 5, 6, 7]) await watching.slot();
    expect(await watching.messages()).toEqual(['ok', 'ok', ...Array(4).fill('limited'), 'ok']);
    const events = await watching.store.events(always, ['alert-fired', 'alert-resolved']);
    expect(events.map(({ kind, detail }) => `${kind} ${detail.notice} ${detail.severity}`)).toEqual([
      'alert-fired coverage page',
      'alert-resolved coverage page',
    ]);
    expect(events[0]?.detail.words).toContain(`3 slots: ${why}`);
  });
}

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
