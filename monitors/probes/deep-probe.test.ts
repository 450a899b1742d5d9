import { catalogue } from '@candleproof/law/rules/catalogue';
import { startService } from '@candleproof/reference-service/start';
import { expect, test } from '@playwright/test';
import { movedClock, watchedService } from '../testing/watched-service.ts';
import { always, hour, makeDefinition, noon, Watching } from '../testing/watching.ts';

const deep = {
  ...({ kind: 'deep', name: 'deep', target: 'mainnet', budget: 40, rhythm: { every: hour } } as const),
};

test('a nonconformant run that a second one confirms is one message, with the cause that its report names', async () => {
  const clock = movedClock(noon);
  const service = await startService({ historyDays: 40, now: clock.now, faults: ['F79'] });
  const target = watchedService(service, {
    ...{ name: 'mainnet', clock },
    key: {
      name: 'main',
      text: service.apiKey,
      shares: { check: 0, monitor: 0, load: 0, confirm: 0, reserve: 0 },
    },
  });
  const watching = await Watching.open({
    definition: makeDefinition([deep], { objectives: [{ indicator: 'correctness', objective: 0.995 }] }),
    targets: [target],
    clock,
    law: catalogue,
  });
  const messages = async () =>
    (await watching.store.events(always)).filter(({ kind }) => kind.startsWith('alert-'));
  await watching.slot();
  expect(await messages()).toEqual([]);
  await watching.slot();
  const [fired, ...more] = await messages();
  expect(more).toEqual([]);
  expect(fired?.detail.words).toContain(
    'correctness of mainnet from here: Volume of DAY candles is 2 times what other intervals show since',
  );
  await service.close();
});
