import { expect, test } from '@playwright/test';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { movedClock } from '../testing/watched-service.ts';
import { always, definitionOf, noon, tokensProbe, Watching } from '../testing/watching.ts';

for (const [status, why] of [
  [401, 'the key was refused (401)'],
  [429, 'the quota is spent'],
] as const) {
  test(`a target that answers ${status} to everything pages although no objective is missed`, async () => {
    const clock = movedClock(noon);
    const answer = (count: number) => ({ status: count > 2 && count < 7 ? status : 200, body: '[]' });
    const target = scriptedTarget({ name: 'mainnet', clock, answer });
    const objectives = [{ indicator: 'availability', objective: 0.99 }] as const;
    const definition = definitionOf([tokensProbe('mainnet')], { objectives });
    const watching = await Watching.open({ definition, targets: [target], clock });
    for (const _ of [1, 2, 3, 4, 5, 6, 7]) await watching.slot();
    expect(await watching.messages()).toEqual(['ok', 'ok', ...Array(4).fill('limited'), 'ok']);
    const events = await watching.store.events(always, ['alert-fired', 'alert-cleared']);
    expect(events.map(({ kind, detail }) => `${kind} ${detail.notice} ${detail.severity}`)).toEqual([
      'alert-fired coverage page',
      'alert-cleared coverage page',
    ]);
    expect(events[0]?.detail.words).toContain(`3 slots: ${why}`);
  });
}
