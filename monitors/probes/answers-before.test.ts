import { choose } from '@candleproof/law/rules/catalogue';
import { expect, test } from '@playwright/test';
import type { LightProbe } from '../plan/definition.ts';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { servedLatest } from '../testing/truth/served-candles.ts';
import { movedClock } from '../testing/watched-service.ts';
import { makeDefinition, minute, noon, Watching } from '../testing/watching.ts';

const law = choose(['latest/only-grows']).chosen;
const latest: LightProbe = {
  ...{ kind: 'light', name: 'latest', target: 'mainnet', rhythm: { every: 5 * minute } },
  ...{ operation: 'getLatestV1PoolCandle', role: 'latest', pools: [1], interval: 'FIVEMIN' },
};

/** Watches latest candles with these closes, a slot each; resolves to the watching. */
async function watch(closes: readonly number[], restartAt?: number): Promise<Watching> {
  const clock = movedClock(noon);
  let slot = 0;
  const target = scriptedTarget({
    ...{ name: 'mainnet', clock },
    answer: () => ({ status: 200, body: servedLatest(clock.now(), closes[slot] ?? 0) }),
  });
  const objectives = [{ indicator: 'correctness', objective: 0.99 }] as const;
  const options = { definition: makeDefinition([latest], { objectives }), targets: [target], clock, law };
  let watching = await Watching.open(options);
  for (; slot < closes.length; slot++) {
    if (slot === restartAt) watching = await Watching.open({ ...options, store: watching.store });
    await watching.slot();
  }
  return watching;
}

test('the evidence of a leap says which price, and how many times the one before', async () => {
  const { store } = await watch([0.05, 50]);
  const [incident] = await store.openIncidents();
  const pattern = 'pool 1: close 50, 1000 times the 0.05 of 5 min before';
  expect(incident).toMatchObject({
    evidence: {
      cause: 'the latest price is 1000 times the one before',
      found: [{ rule: 'latest/price-leap', pattern }],
    },
  });
});
