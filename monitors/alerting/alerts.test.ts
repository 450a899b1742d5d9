import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import type { SlotRecord } from '../results/probe-record.ts';
import { type MemoryStore, memoryStore } from '../testing/memory-store.ts';
import { Alerts } from './alerts.ts';
import { day, hour, makeDefinition, makeSlot, midnight, minute } from './testing/slots.ts';

const cadence = 15 * minute;
const evidenceOf = ({ scheduledAt }: SlotRecord): string => `evidence of ${scheduledAt}`;

/** Slots one after the other: `.` good, `x` failed; each written with what follows from it. */
async function feed(alerts: Alerts, store: MemoryStore, marks: string, from: number): Promise<string[]> {
  const reported: string[] = [];
  for (const [n, mark] of [...marks].entries()) {
    const at = from + n * cadence;
    const slots = [makeSlot(at, mark === 'x' ? 'failed' : 'ok')];
    const batch = alerts.take(slots, at + 1000, evidenceOf);
    await store.record({ slots, ...batch });
    reported.push(...batch.events.map(({ kind }) => kind));
  }
  return reported;
}

test('an alert names its incident with cause and start, its windows and the same id for every copy', async () => {
  const store = memoryStore();
  const alerts = await Alerts.open(store, makeDefinition(), midnight);
  await feed(alerts, store, '....xx', midnight);
  const [delivery] = await store.dueDeliveries(midnight + day);
  const since = midnight + 5 * cadence + 1000;
  expect(delivery).toMatchObject({
    id: `alert/mainnet/availability/sydney/${since}/fired/1/pager`,
    attempts: 0,
  });
  expect(delivery?.message).toMatchObject({
    id: `alert/mainnet/availability/sydney/${since}/fired/1`,
    severity: 'page',
    objective: 0.99,
    incident: `incident/mainnet/availability/sydney/tokens/listTokens/${midnight + 4 * cadence}`,
    failures: [{ phase: 'wait', class: 'timeout' }],
    began: new Date(midnight + 4 * cadence).toISOString(),
    text: expect.stringMatching(/: timeout at wait since 2026-11-21 01:00 UTC, and it lasts\n/),
  });
  expect(await store.openIncidents()).toMatchObject([{ evidence: `evidence of ${midnight + 4 * cadence}` }]);
});

test('a slow burn is a ticket that flaps until it burns faster, and is then a page', async () => {
  const store = memoryStore();
  const definition = makeDefinition({ objectives: [{ indicator: 'availability', objective: 0.9 }] });
  const alerts = await Alerts.open(store, definition, midnight);
  const sent = await feed(alerts, store, '.....x'.repeat(48), midnight);
  // One that comes and goes is not reported each time.
  expect(sent).toEqual(['alert-fired']);
  expect(alerts.objectiveAlerts[0]?.touch?.severity).toBe('ticket');
  const worse = await feed(alerts, store, 'x'.repeat(20), midnight + 288 * cadence);
  expect(worse[0]).toBe('alert-changed');
  expect(alerts.objectiveAlerts[0]?.touch?.severity).toBe('page');
});

test('slots of another place raise nothing here', async () => {
  const store = memoryStore();
  const alerts = await Alerts.open(store, makeDefinition(), midnight);
  const series = { location: 'oslo' };
  const slots = [0, 1, 2].map((n) => makeSlot(midnight + n * cadence, 'failed', { series }));
  const nothing = { events: [], incidents: [], deliveries: [], states: {} };
  expect(alerts.take(slots, midnight + day)).toEqual(nothing);
});

test('an alert whose target is watched no more is resolved once, and its incident ends', async () => {
  const store = memoryStore();
  await feed(await Alerts.open(store, makeDefinition(), midnight), store, '..xx', midnight);
  const unwatched = await Alerts.open(store, makeDefinition({ probes: [] }), midnight + hour);
  const batch = unwatched.tick(midnight + hour);
  expect(batch).toMatchObject({
    events: [
      { kind: 'alert-resolved', detail: { words: expect.stringContaining('is not watched any more') } },
    ],
    incidents: [{ end: midnight + 3 * cadence, unwatched: hour - 3 * cadence }],
  });
  await store.record(batch);
  const again = await Alerts.open(store, makeDefinition({ probes: [] }), midnight + hour);
  expect(again.tick(midnight + hour)).toMatchObject({ events: [], incidents: [] });
});

test('an alert is resolved although good slots are rarer than the longest window is long', async () => {
  const store = memoryStore();
  const definition = makeDefinition();
  await feed(await Alerts.open(store, definition, midnight), store, 'xx', midnight);
  const reported: string[] = [];
  for (const n of [1, 2, 3]) {
    const at = midnight + n * 2 * day;
    const alerts = await Alerts.open(store, definition, at);
    const slots = [makeSlot(at)];
    const batch = alerts.take(slots, at + 1);
    await store.record({ slots, ...batch });
    reported.push(...batch.events.map(({ kind }) => kind));
  }
  expect(reported).toEqual(['alert-resolved']);
});

test('a state of another form is refused instead of forgotten', async () => {
  const store = memoryStore();
  await store.record({ states: { alerts: [{ id: 1 }] } });
  await expect(Alerts.open(store, makeDefinition(), midnight)).rejects.toThrow('another version wrote it');
});

type Step = {
  readonly gap: number;
  readonly outcome: 'ok' | 'failed' | 'unknown';
  readonly slow: boolean;
  readonly probe: string;
  readonly crash: 'none' | 'after' | 'before';
};

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    gap: fc.constantFrom(
      5000,
      20_000,
      minute,
      cadence,
      cadence,
      cadence,
      hour,
      7 * hour,
      30 * hour,
      80 * hour,
    ),
    outcome: fc.constantFrom('ok', 'ok', 'failed', 'unknown'),
    slow: fc.boolean(),
    probe: fc.constantFrom('tokens', 'deep'),
    crash: fc.constantFrom('none', 'none', 'after', 'before'),
  }),
  { maxLength: 80 },
);

/** Everything that was written, with or without the crashes. */
async function history(all: readonly Step[], crashes: boolean): Promise<unknown[]> {
  const store = memoryStore();
  const written: unknown[] = [];
  let now = midnight;
  let alerts = await Alerts.open(store, makeDefinition(), now);
  for (const { gap, outcome, slow, probe, crash } of all) {
    now += gap;
    const slots = [makeSlot(now - 900, outcome, { slow, series: { probe } })];
    if (crashes && crash === 'before') {
      alerts.take(slots, now, evidenceOf);
      alerts = await Alerts.open(store, makeDefinition(), now);
    }
    for (const batch of [{ slots, ...alerts.take(slots, now, evidenceOf) }, alerts.tick(now)]) {
      await store.record(batch);
      written.push({ ...batch, states: {} });
    }
    if (crashes && crash === 'after') alerts = await Alerts.open(store, makeDefinition(), now);
  }
  return [...written, store.outbox(), await store.openIncidents()];
}

test('a process that ends at any point neither repeats nor forgets an alert', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      expect(await history(all, true)).toEqual(await history(all, false));
    }),
  );
});

test('whatever happens an alert is fired before it is resolved, and fired again only after that', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const written = (await history(all, true)) as {
        events?: { kind: string; detail: { alert: string } }[];
      }[];
      const events = written.flatMap(({ events = [] }) => events);
      for (const all of Map.groupBy(events, ({ detail }) => detail.alert).values()) {
        const kinds = all.map(({ kind }) => kind.replace('alert-', '')).join(' ');
        expect(kinds).toMatch(/^(fired( changed| reminder)* resolved ?)*(fired( changed| reminder)*)?$/);
      }
    }),
  );
});
