import { expect, test } from '@playwright/test';
import { catalogue } from '../contract/catalogue.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import { type RunningService, startService } from '../service/start.ts';
import type { LightProbe } from './definition.ts';
import { movedClock, watchedService } from './testing/watched-service.ts';
import { definitionOf, hour, minute, noon, shares, Watching } from './testing/watching.ts';

const names = ['mainnet', 'testnet'] as const;

function latest(target: string, minutes: number): LightProbe {
  const rhythm = { cron: `${minutes}-59/10 * * * *` };
  const operation = 'getLatestV1PoolCandle';
  return { kind: 'light', name: 'latest', target, rhythm, operation, pools: [1], interval: 'FIVEMIN' };
}

/** Half an hour of two services, our own clock so far ahead of theirs; the slots but the first of each target. */
async function watched(ahead: number, faults: Readonly<Record<string, string[]>>): Promise<SlotRecord[]> {
  const clock = movedClock(noon);
  const services: RunningService[] = [];
  for (const name of names) {
    const options = { historyDays: 1, now: () => clock.now() - ahead, faults: faults[name] ?? [] };
    services.push(await startService(options));
  }
  const targets = services.map((each, index) => {
    const name = names[index] ?? '';
    return watchedService(each, { name, clock, key: { name, text: each.apiKey, shares } });
  });
  const probes = [latest('mainnet', 3), latest('testnet', 4)];
  const watching = await Watching.open({ definition: definitionOf(probes), targets, clock, law: catalogue });
  await watching.until(noon + 30 * minute);
  for (const each of services) await each.close();
  return (await watching.slots()).slice(2);
}

test('with our own clock an hour wrong both targets are still well', async () => {
  const outcomes = (await watched(hour, {})).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok']);
});

test('one target whose Date is an hour wrong is blamed for it', async () => {
  const slots = await watched(0, { mainnet: ['F132'] });
  expect(slots.map(({ series, outcome }) => `${series.target} ${outcome}`)).toEqual([
    'mainnet degraded',
    'testnet ok',
    'mainnet degraded',
    'testnet ok',
  ]);
});

test('a time that two targets agree on is not held against either', async () => {
  const slots = await watched(0, { mainnet: ['F132'], testnet: ['F132'] });
  expect(slots.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok']);
});
