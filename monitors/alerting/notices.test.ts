import { expect, test } from '@playwright/test';
import type { ProbeOutcome, SlotRecord } from '../results/probe-record.ts';
import type { EventRecord } from '../results/results-store.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { Alerts } from './alerts.ts';
import type { Condition } from './cause.ts';
import type { AlertMessage } from './message.ts';
import { hour, makeDefinition, makeSlot, midnight, minute } from './testing/slots.ts';

const refused: Partial<SlotRecord> = {
  samples: [
    { at: midnight, cold: true, confirming: false, status: 401, timings: { total: 5 }, sincePlanned: 5 },
  ],
};

/** A store, and what is reported by alerts that may be opened anew at any time. */
class Stage {
  readonly store = memoryStore();
  readonly definition = makeDefinition();
  #alerts: Alerts | undefined;

  /** Another process begins. */
  async restart(now: number, shared: readonly string[] = []): Promise<void> {
    this.#alerts = await Alerts.open(
      this.store,
      this.definition,
      now,
      undefined,
      new Map(shared.map((name) => [name, { isShared: true, targets: [] }])),
    );
  }

  get alerts(): Alerts {
    if (!this.#alerts) throw new Error('not begun');
    return this.#alerts;
  }

  async take(
    slots: readonly SlotRecord[],
    now: number,
    events: readonly EventRecord[] = [],
  ): Promise<AlertMessage[]> {
    return this.#write({ slots, ...this.alerts.take(slots, now, undefined, events) });
  }

  async tick(now: number, conditions: readonly Condition[] = []): Promise<AlertMessage[]> {
    return this.#write(this.alerts.tick(now, conditions));
  }

  async #write(batch: Parameters<Stage['store']['record']>[0]): Promise<AlertMessage[]> {
    await this.store.record(batch);
    return (batch.deliveries ?? []).map(({ message }) => message as unknown as AlertMessage);
  }

  /** Slots of a minute each from `from` on; the kinds of what was reported about blindness. */
  async see(outcomes: readonly (ProbeOutcome | 'missed')[], from: number): Promise<AlertMessage[]> {
    const reported: AlertMessage[] = [];
    for (const [n, outcome] of outcomes.entries()) {
      const at = from + n * minute;
      const probe = { series: { probe: n % 2 === 0 ? 'tokens' : 'deep' } };
      const slot = outcome === 'missed' ? missed(at) : makeSlot(at, outcome, { ...refused, ...probe });
      reported.push(...(await this.take([slot], at + 1000)));
    }
    return reported.filter(({ notice }) => notice === 'coverage');
  }
}

function missed(at: number): SlotRecord {
  const { outcome: _, startedAt: __, finishedAt: ___, ...slot } = makeSlot(at);
  return { ...slot, state: 'missed', reason: 'nobody was there to run it' };
}

async function staged(): Promise<Stage> {
  const stage = new Stage();
  await stage.restart(midnight);
  return stage;
}

test('three slots in a row without a judgement page with the reason, and the next judged one resolves that', async () => {
  const stage = await staged();
  expect(await stage.see(['ok', 'limited', 'limited'], midnight)).toEqual([]);
  const [page] = await stage.see(['limited'], midnight + 3 * minute);
  expect(page).toMatchObject({
    id: `alert/mainnet/coverage/sydney/${midnight + 3 * minute + 1000}/fired/1`,
    kind: 'fired',
    target: 'mainnet',
    notice: 'coverage',
    severity: 'page',
    text: expect.stringMatching(
      /^page: mainnet from sydney: not judged since 2026-11-21 00:01 UTC, 3 slots: the key was refused \(401\)\ndo: [^\n]+$/,
    ),
  });
  expect(page).not.toHaveProperty('indicator', expect.anything());
  expect(await stage.see(Array(20).fill('unknown'), midnight + 4 * minute)).toEqual([]);
  const [cleared, ...more] = await stage.see(['failed', 'ok'], midnight + 24 * minute);
  expect(cleared).toMatchObject({ kind: 'resolved', severity: 'page' });
  expect(cleared?.text).toBe('resolved: mainnet from sydney: judged again after 23 min');
  expect(more).toEqual([]);
});

test('planned work and a stopping monitor neither blind nor enlighten', async () => {
  const stage = await staged();
  await stage.see(['ok', 'limited', 'limited', 'excluded', 'excluded'], midnight);
  const { outcome: _, ...stopped } = makeSlot(midnight + 5 * minute);
  await stage.take([{ ...stopped, state: 'shutdown' }], midnight + 5 * minute);
  expect(stage.alerts.coverage[0]).toMatchObject({
    blindSince: undefined,
    seen: { judged: midnight, count: 2 },
  });
  expect(await stage.see(['limited'], midnight + 6 * minute)).toHaveLength(1);
});

test('missed slots page while a monitor runs, but not after its absence', async () => {
  const stage = await staged();
  await stage.see(['ok'], midnight);
  await stage.restart(midnight + hour);
  expect(await stage.see(Array(40).fill('missed'), midnight + minute)).toEqual([]);
  expect(await stage.see(Array(3).fill('missed'), midnight + hour)).toMatchObject([
    { kind: 'fired', text: expect.stringMatching(/3 slots: nobody was there to run it\ndo: /) },
  ]);
});

test('a restart neither repeats nor forgets that a target is not seen', async () => {
  const stage = await staged();
  await stage.see(['ok', 'limited', 'limited'], midnight);
  await stage.restart(midnight + 3 * minute);
  expect(await stage.see(['limited'], midnight + 3 * minute)).toMatchObject([{ kind: 'fired' }]);
  await stage.restart(midnight + 4 * minute);
  expect(await stage.tick(midnight + 4 * minute)).toEqual([]);
  expect(await stage.see(['limited'], midnight + 4 * minute)).toEqual([]);
  expect(await stage.tick(midnight + 5 * hour)).toMatchObject([
    { kind: 'reminder', text: expect.stringContaining('00:01 UTC, 4 slots: the key was refused (401)') },
  ]);
  await stage.restart(midnight + 6 * hour);
  expect(await stage.see(['ok'], midnight + 6 * hour)).toMatchObject([{ kind: 'resolved' }]);
});

test('a slow run that was planned earlier shows nothing about later slots', async () => {
  const stage = await staged();
  await stage.see(['ok'], midnight);
  await stage.see(['limited', 'limited', 'limited'], midnight + 2 * minute);
  expect(await stage.see(['ok'], midnight + minute)).toEqual([]);
  expect(stage.alerts.coverage[0]).toMatchObject({
    blindSince: midnight + 2 * minute,
    seen: { judged: midnight + minute },
  });
});

const happened = (kind: string, more: Partial<EventRecord>, at = midnight): EventRecord => ({
  ...{ at, kind, detail: {} },
  ...more,
});

test('restatements are one ticket, and later ones are reported with the reminder', async () => {
  const stage = await staged();
  const one = happened('restatement', { target: 'mainnet' });
  const [ticket, ...none] = await stage.take([], midnight, [one]);
  expect(none).toEqual([]);
  expect(ticket).toMatchObject({
    kind: 'fired',
    notice: 'restatement',
    severity: 'ticket',
    target: 'mainnet',
  });
  expect(ticket?.text).toMatch(
    /^ticket: mainnet from sydney: a closed candle changed after having been seen\ndo: fetch the changed candles again,/,
  );
  await stage.restart(midnight + minute);
  expect(await stage.take([], midnight + minute, [one, one])).toEqual([]);
  const [again] = await stage.tick(midnight + 24 * hour);
  expect(again).toMatchObject({ kind: 'reminder', notice: 'restatement' });
  expect(again?.text).toContain('again: 2 closed candles changed after having been seen; 3 in all');
  // Nothing has happened since: it is over, and the next one is new.
  const [over] = await stage.tick(midnight + 48 * hour);
  expect(over).toMatchObject({ kind: 'resolved', notice: 'restatement' });
  expect(over?.text).toContain('3 in all');
  expect(await stage.take([], midnight + 49 * hour, [one])).toMatchObject([{ kind: 'fired' }]);
});

test('a condition is reported when it begins, worsens and ends, but not while it is unknown', async () => {
  const stage = await staged();
  const ending = (more: Partial<Condition>): Condition => ({
    ...{ source: 'exhaustion', subject: { account: 'main' }, holds: true, severity: 'ticket' },
    ...{ family: 'quota main', words: () => 'soon' },
    ...more,
  });
  const kinds: string[] = [];
  const steps = [
    {},
    {},
    { holds: undefined },
    { severity: 'page' },
    { severity: 'ticket' },
    { holds: false },
  ] as const;
  for (const [n, step] of steps.entries()) {
    kinds.push((await stage.tick(midnight + n * minute, [ending(step)])).map(({ kind }) => kind).join());
  }
  expect(kinds).toEqual(['fired', '', '', 'changed', '', 'resolved']);
  await stage.tick(midnight + hour, [ending({})]);
  // The key is used no more.
  expect(await stage.tick(midnight + hour + minute, [])).toMatchObject([
    { kind: 'resolved', text: expect.stringContaining('is not watched any more') },
  ]);
});
