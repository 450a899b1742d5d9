import { type Exchange, headerValues } from '@candleproof/law/reading/exchange';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { type RunningService, startService } from '@candleproof/reference-service/start';
import { expect, test } from '@playwright/test';
import type { LightProbe } from '../plan/definition.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import { movedClock, watchedService } from '../testing/watched-service.ts';
import { always, hour, makeDefinition, minute, noon, shares, Watching } from '../testing/watching.ts';

const names = ['mainnet', 'testnet'] as const;

function latest(target: string, minutes: number): LightProbe {
  const rhythm = { cron: `${minutes}-59/10 * * * *` };
  const operation = 'getLatestV1PoolCandle';
  return {
    kind: 'light',
    name: 'latest',
    target,
    rhythm,
    operation,
    role: 'latest',
    pools: [1],
    interval: 'FIVEMIN',
  };
}

/** Half an hour of two services, our clock so far ahead of theirs; the slots but the first of each target. */
async function watched(ahead: number, faults: Readonly<Record<string, string[]>>): Promise<SlotRecord[]> {
  const clock = movedClock(noon);
  const services: RunningService[] = [];
  for (const name of names) {
    const options = { historyDays: 1, now: () => clock.now() - ahead, faults: faults[name] ?? [] };
    services.push(await startService(options));
  }
  const targets = services.map((service, index) => {
    const name = names[index] ?? '';
    return watchedService(service, { name, clock, key: { name, text: service.apiKey, shares } });
  });
  const probes = [latest('mainnet', 3), latest('testnet', 4)];
  const watching = await Watching.open({
    definition: makeDefinition(probes),
    targets,
    clock,
    law: catalogue,
  });
  await watching.runUntil(noon + 30 * minute);
  for (const service of services) await service.close();
  return (await watching.slots()).slice(2);
}

test('both targets stay good while our clock is an hour wrong', async () => {
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

/** Returns the answer of a server whose clock is `ms` ahead. */
function ahead(exchange: Exchange, ms: number): Exchange {
  const { response } = exchange;
  if (!response) return exchange;
  const date = Date.parse(headerValues(response.headers, 'date')[0] ?? '') + ms;
  const others = response.headers.filter(([name]) => name.toLowerCase() !== 'date');
  return {
    ...exchange,
    response: { ...response, headers: [...others, ['date', new Date(date).toUTCString()]] },
  };
}

/** An hour of histories of two targets, their clocks so far ahead of ours. */
async function histories(clocks: Readonly<Record<(typeof names)[number], number>>) {
  const clock = movedClock(noon);
  const service = await startService({ historyDays: 2, now: clock.now });
  const targets = names.map((name) =>
    watchedService(service, {
      name,
      clock,
      key: { name, text: service.apiKey, shares },
      through: (client) => ({ send: async (request) => ahead(await client.send(request), clocks[name]) }),
    }),
  );
  const probes = names.map((target, index) => {
    const rhythm = { cron: `${index + 3}-59/10 * * * *` };
    const operation = 'listV2PoolCandles';
    return {
      kind: 'light',
      name: 'history',
      target,
      rhythm,
      operation,
      role: 'history',
      pools: [1],
      interval: 'FIVEMIN',
    } as const;
  });
  const objectives = [{ indicator: 'freshness', objective: 0.9, under: minute } as const];
  const definition = makeDefinition(probes, { objectives });
  const watching = await Watching.open({ definition, targets, clock, law: catalogue });
  await watching.runUntil(noon + 30 * minute);
  await service.close();
  const pins = await watching.store.pins('mainnet', 1, 'FIVEMIN', { from: 0, to: 9e12 });
  const [, , ...slots] = await watching.store.slots(always);
  const events = await watching.store.events(always, ['alert-fired']);
  return { slots, pins, alerts: events.map(({ detail }) => detail.words) };
}

test('a Date that another target contradicts is a clock problem, ages no candle and pins none', async () => {
  const { slots, pins, alerts } = await histories({ mainnet: 90_000, testnet: 0 });
  const [one, other] = ['mainnet', 'testnet'].map((name) =>
    slots.filter(({ series }) => series.target === name),
  );
  for (const slot of one ?? []) {
    expect(slot).toMatchObject({ outcome: 'degraded', rules: [] });
    expect(slot.reason).toMatch(/^its Date is (89|90|91) s ahead of our clock, and testnet agrees with us$/);
    expect(slot).not.toHaveProperty('age', expect.anything());
    expect(slot).not.toHaveProperty('stale', expect.anything());
  }
  expect(other?.every(({ age, reason }) => age !== undefined && reason === undefined)).toBe(true);
  expect(one).toHaveLength(2);
  expect(alerts).toEqual([
    expect.stringMatching(/^ticket: mainnet from here: its Date is \d\d s ahead of our clock, and /),
  ]);
  expect(pins).toEqual([]);
});

test('where two targets agree on another time than ours neither is aged or blamed', async () => {
  const { slots, pins } = await histories({ mainnet: 90_000, testnet: 91_000 });
  for (const slot of slots) {
    expect(slot).toMatchObject({ outcome: 'ok' });
    expect(slot).not.toHaveProperty('age', expect.anything());
  }
  expect(pins).toEqual([]);
});

test('a Date less than half a minute off is taken for the time', async () => {
  const { slots, pins } = await histories({ mainnet: 25_000, testnet: 0 });
  expect(slots.every(({ age }) => age !== undefined)).toBe(true);
  expect(pins.length).toBeGreaterThan(10);
});
