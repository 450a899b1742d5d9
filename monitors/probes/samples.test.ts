import { catalogue } from '@candleproof/law/rules/catalogue';
import { expect, test } from '@playwright/test';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { movedClock } from '../testing/watched-service.ts';
import { makeDefinition, noon, tokensProbe, Watching } from '../testing/watching.ts';

test('that we began late and stood still is no time since the planned instant, the answers before are', async () => {
  const clock = movedClock(noon);
  // The whole process stalls while the first answer is on its way back.
  const answer = (count: number) => {
    if (count === 1) clock.set(clock.now() + 7000);
    return { status: 200, body: '[]', took: 1 };
  };
  const target = scriptedTarget({ name: 'mainnet', clock, answer });
  const probe = tokensProbe('mainnet', {
    operation: 'getLatestV1PoolCandle',
    role: 'latest',
    pools: [1, 1, 1],
    interval: 'HOUR',
  });
  const watching = await Watching.open({ definition: makeDefinition([probe]), targets: [target], clock });
  await watching.tick(watching.monitor.next + 4000);
  await watching.monitor.idle();
  const [slot] = await watching.slots();
  // Each answer took the scripted millisecond.
  expect(slot?.samples.map(({ sincePlanned }) => sincePlanned)).toEqual([1, 2, 3]);
});

test('the exchange of an incident keeps where something was found in it, and what was expected there', async () => {
  const clock = movedClock(noon);
  const candle = '{"timestampSeconds":1773100800,"open":"1","high":"0.5","low":"0.4","close":"1","avg":"1"}';
  const target = scriptedTarget({ name: 'mainnet', clock, answer: () => ({ status: 200, body: candle }) });
  const probe = tokensProbe('mainnet', {
    ...{ operation: 'getLatestV1PoolCandle', role: 'latest', pools: [1], interval: 'HOUR' },
  });
  const definition = makeDefinition([probe]);
  const watching = await Watching.open({ definition, targets: [target], clock, law: catalogue });
  await watching.tick(watching.monitor.next + 1000);
  await watching.monitor.idle();
  const [incident] = await watching.store.openIncidents();
  expect(JSON.stringify(incident?.evidence)).toMatch(
    /"found":\[\{"rule":"[a-z-]+\/[a-z-]+","pointer":"[^"]*","expected":/,
  );
});
