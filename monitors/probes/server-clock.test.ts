import { type Exchange, headerValues } from '@candleproof/law/reading/exchange';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { startService } from '@candleproof/reference-service/start';
import { expect, test } from '@playwright/test';
import { movedClock, watchedService } from '../testing/watched-service.ts';
import { always, makeDefinition, minute, noon, shares, Watching } from '../testing/watching.ts';

const names = ['mainnet', 'testnet'] as const;

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
