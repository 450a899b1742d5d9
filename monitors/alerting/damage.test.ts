import { expect, test } from '@playwright/test';
import type { SlotRecord } from '../results/probe-record.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { Alerts } from './alerts.ts';
import type { AlertMessage } from './message.ts';
import { hour, makeDefinition, makeSlot, midnight, minute } from './testing/slots.ts';

const definition = makeDefinition({ objectives: [{ indicator: 'correctness', objective: 0.99 }] });

/** One process after the other, on one store. */
class Stage {
  readonly #store = memoryStore();
  #alerts: Alerts | undefined;

  async restart(now: number): Promise<void> {
    this.#alerts = await Alerts.open(this.#store, definition, now);
  }

  /** Slots that break these rules each, a minute apart from `at` on. */
  async see(at: number, broken: readonly (readonly string[])[], more: Partial<SlotRecord> = {}) {
    const reported: AlertMessage[] = [];
    for (const [n, rules] of broken.entries()) {
      const [first] = rules;
      const outcome = first === undefined ? 'ok' : 'failed';
      const failure = first === undefined ? {} : { failure: { phase: 'contract', class: first } as const };
      const slot = makeSlot(at + n * minute, outcome, { ...failure, rules, ...more } as object);
      reported.push(...(await this.#write([slot], at + n * minute + 500)));
    }
    return reported.map(({ kind, rules, incident }) => ({ kind, rules, isThreaded: incident !== undefined }));
  }

  async happen(kind: string, at: number): Promise<AlertMessage[]> {
    return this.#write([], at, [{ at, kind, target: 'mainnet', detail: {} }]);
  }

  get #open(): Alerts {
    if (!this.#alerts) throw new Error('not begun');
    return this.#alerts;
  }

  async #write(slots: readonly SlotRecord[], now: number, events: Parameters<Alerts['take']>[3] = []) {
    const batch = this.#open.take(slots, now, undefined, events);
    await this.#store.record({ slots, ...batch });
    return batch.deliveries.map(({ message }) => message as unknown as AlertMessage);
  }
}

async function alerting(): Promise<Stage> {
  const stage = new Stage();
  await stage.restart(midnight);
  const fired = await stage.see(midnight, [['a/b'], ['a/b'], ['a/b']]);
  expect(fired).toEqual([{ kind: 'fired', rules: undefined, isThreaded: true }]);
  return stage;
}

test('another rule that breaks during an alert is reported once, even over a restart', async () => {
  const stage = await alerting();
  const past = 'history/closed-candles-stay';
  const both = [['a/b', past], ['a/b', past], ['a/b']];
  expect(await stage.see(midnight + 17 * minute, both)).toEqual([
    { kind: 'changed', rules: [past], isThreaded: true },
  ]);
  await stage.restart(midnight + 20 * minute);
  expect(await stage.see(midnight + 20 * minute, both)).toEqual([]);
  expect(await stage.see(midnight + 40 * minute, [['a/b', 'e/f']])).toMatchObject([
    { kind: 'changed', rules: ['e/f'] },
  ]);
});

test('rules that break one after the other are one message in a quarter of an hour', async () => {
  const stage = await alerting();
  const many = Array.from({ length: 40 }, (_, n) => ['a/b', `c/${n}`]);
  const reported = await stage.see(midnight + 3 * minute, many);
  expect(reported.map(({ kind, rules = [] }) => [kind, rules.length])).toEqual([
    ['changed', 14],
    ['changed', 15],
  ]);
});

test('rules that a baseline accepts also break in good slots and are no damage', async () => {
  const stage = new Stage();
  await stage.restart(midnight);
  await stage.see(midnight, [[]], { rules: ['k/nown'] });
  await stage.see(midnight + minute, [['a/b'], ['a/b'], ['a/b']]);
  expect(await stage.see(midnight + 4 * minute, [['a/b', 'k/nown']])).toEqual([]);
});

test('a restatement during an incident belongs to its alert, and a reset is a message of its own that names it', async () => {
  const stage = await alerting();
  expect(await stage.happen('restatement', midnight + 3 * minute)).toEqual([]);
  const [changed, reset] = await stage.happen('network-reset', midnight + 4 * minute);
  expect(changed).toMatchObject({ kind: 'changed', indicator: 'correctness' });
  expect(changed?.text).toContain(', changed after 4 min: a closed candle changed after having been seen\n');
  expect(reset).toMatchObject({ kind: 'fired', notice: 'network-reset' });
  expect(reset?.incident).toContain('incident/mainnet/correctness');
});

test('one nonconformant deep run is no message, and a second one that confirms it is, over a restart too', async () => {
  const stage = new Stage();
  await stage.restart(midnight);
  const deep = { series: { target: 'mainnet', probe: 'deep', operation: 'all', location: 'sydney' } };
  const day = 1440 * minute;
  for (let n = 0; n < 40; n++) await stage.see(midnight + n * minute, [[]]);
  expect(await stage.see(midnight + hour, [['candle/high-is-highest']], deep)).toEqual([]);
  for (let n = 1; n < 20; n++) await stage.see(midnight + hour + n * minute, [[]]);
  await stage.restart(midnight + day);
  for (let n = 0; n < 20; n++) await stage.see(midnight + day + n * minute, [[]]);
  expect(await stage.see(midnight + day + hour, [['candle/high-is-highest']], deep)).toMatchObject([
    { kind: 'fired', isThreaded: true },
  ]);
  expect(await stage.see(midnight + 2 * day + hour, [[]], deep)).toMatchObject([{ kind: 'resolved' }]);
});
