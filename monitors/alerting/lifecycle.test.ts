import { choose } from '@candleproof/law/rules/catalogue';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import type { SlotRecord } from '../results/probe-record.ts';
import type { EventRecord } from '../results/results-store.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { Alerts } from './alerts.ts';
import { Outbox } from './deliver.ts';
import type { AlertMessage } from './message.ts';
import { day, hour, makeDefinition, makeSlot, midnight, minute } from './testing/slots.ts';

const cadence = 15 * minute;

/** One location over its processes: what its sink took, in order, with a webhook that may be gone. */
class Stage {
  readonly store = memoryStore();
  readonly taken: AlertMessage[] = [];
  isGone = false;
  readonly #definition: ReturnType<typeof makeDefinition>;
  #alerts: Alerts | undefined;
  #outbox: Outbox | undefined;

  constructor(more: Parameters<typeof makeDefinition>[0] = {}) {
    this.#definition = makeDefinition({
      objectives: [{ indicator: 'availability', objective: 0.99 }],
      ...more,
    });
  }

  async restart(now: number): Promise<void> {
    this.#alerts = await Alerts.open(this.store, this.#definition, now);
    this.#outbox = new Outbox(this.store, this.#definition.alerting.sinks, {
      signal: new AbortController().signal,
      environment: {},
      remake: (message, at) => this.alerts.remake(message, at),
      send: async (_, message) => {
        if (this.isGone) return 'status 503';
        this.taken.push(message);
        return undefined;
      },
    });
  }

  get alerts(): Alerts {
    if (!this.#alerts) throw new Error('not begun');
    return this.#alerts;
  }

  /** Writes one slot, what time brings, and delivers what is due; returns the messages of both. */
  async see(slot: SlotRecord | undefined, now: number, events: readonly EventRecord[] = []) {
    const batches = [
      ...(slot || events.length > 0
        ? [
            {
              ...(slot && { slots: [slot] }),
              ...this.alerts.take(slot ? [slot] : [], now, () => evidence, events),
            },
          ]
        : []),
      this.alerts.tick(now),
    ];
    for (const batch of batches) await this.store.record(batch);
    await this.#outbox?.deliverDue(now);
    return batches.flatMap(({ deliveries }) =>
      deliveries.map(({ message }) => message as unknown as AlertMessage),
    );
  }

  /** Slots one after the other: `.` good, `x` failed, `w` planned work. */
  async feed(marks: string, from: number, step = cadence): Promise<AlertMessage[]> {
    const outcomes = { '.': 'ok', x: 'failed', w: 'excluded' } as const;
    const messages: AlertMessage[] = [];
    for (const [n, mark] of [...marks].entries()) {
      const at = from + n * step;
      messages.push(...(await this.see(makeSlot(at, outcomes[mark as 'x']), at + 1000)));
    }
    return messages;
  }

  async shift(by: number): Promise<void> {
    await this.store.record(this.alerts.shift(by));
    await this.#outbox?.shift(by);
  }
}

const evidence = {
  ...{ method: 'GET', url: 'https://api.example/tokens', status: 503, totalMs: 12 },
  found: [{ rule: 'candle/high-is-highest', pattern: 'only inverted' }],
};

async function staged(more: Parameters<typeof makeDefinition>[0] = {}): Promise<Stage> {
  const stage = new Stage(more);
  await stage.restart(midnight);
  return stage;
}

const kinds = (messages: readonly AlertMessage[]): string[] => messages.map(({ kind }) => kind);

test('after a webhook came back nothing older follows what is newer', async () => {
  const stage = await staged();
  stage.isGone = true;
  await stage.feed('....xx', midnight);
  // The first tries fail, and the next one is put off for longer than the outage lasts.
  for (let n = 1; n < 60; n++) await stage.see(undefined, midnight + 5 * cadence + n * minute);
  stage.isGone = false;
  await stage.feed('.'.repeat(30), midnight + 9 * cadence);
  expect(kinds(stage.taken)).toEqual(['resolved']);
});

test('a message that waited is in the words of the time at which it is sent', async () => {
  const stage = await staged();
  stage.isGone = true;
  await stage.feed('....xxxx', midnight, minute);
  stage.isGone = false;
  await stage.feed('x', midnight + 20 * minute);
  expect(kinds(stage.taken)).toEqual(['fired']);
  expect(stage.taken[0]).toMatchObject({
    state: 'firing',
    at: new Date(midnight + 20 * minute + 1000).toISOString(),
  });
  expect(stage.taken[0]?.windows?.[0]).toMatchObject({ bad: 5 });
});

test('an alert that is over before a webhook came back arrives as its end alone', async () => {
  const stage = await staged();
  stage.isGone = true;
  await stage.feed('....xx', midnight);
  await stage.feed('.'.repeat(30), midnight + 9 * cadence);
  stage.isGone = false;
  await stage.see(undefined, midnight + 2 * day);
  expect(kinds(stage.taken)).toEqual(['resolved']);
});

test('what first arrives of a standing alert is that it fired, whatever has happened since', async () => {
  const stage = await staged();
  stage.isGone = true;
  await stage.feed('....xxxxx.xx', midnight);
  stage.isGone = false;
  await stage.see(undefined, midnight + 5 * hour);
  expect(kinds(stage.taken)).toEqual(['fired']);
  expect(new Set(stage.taken.map(({ alert }) => alert)).size).toBe(1);
});

test('the end of an alert arrives before the next one fires', async () => {
  const stage = await staged();
  await stage.feed('....xx', midnight);
  stage.isGone = true;
  await stage.feed('.'.repeat(60), midnight + 9 * cadence);
  await stage.feed('xx', midnight + 70 * cadence);
  stage.isGone = false;
  await stage.see(undefined, midnight + 72 * cadence + 2 * hour);
  expect(kinds(stage.taken)).toEqual(['fired', 'resolved', 'fired']);
});

test('a sink of pages gets an alert that became one as fired', async () => {
  const sinks = [{ kind: 'command', command: ['true'], name: 'pages', severity: 'page' }] as const;
  const stage = await staged({ alerting: { ...makeDefinition().alerting, sinks } });
  for (const left of [10, 5, 1])
    await stage.see({ ...makeSlot(midnight), certificateEnd: midnight + left * day }, midnight + minute);
  expect(stage.taken.map(({ kind, notice }) => `${kind} ${notice}`)).toEqual(['fired certificate']);
});

test('a reminder has the figures of its own time', async () => {
  const stage = await staged();
  const [fired] = await stage.feed('....xx', midnight);
  expect(fired?.windows?.[0]).toMatchObject({ pair: '1h', bad: 2 });
  const [reminder] = (await stage.feed('xxx', midnight + 6 * cadence)).filter(
    ({ kind }) => kind === 'reminder',
  );
  expect(reminder?.windows?.[0]).toMatchObject({ pair: '1h', bad: 4, slots: 4 });
});

test('a growing number of changed candles is a message before the next reminder', async () => {
  const stage = await staged();
  const changed = (n: number): EventRecord[] =>
    Array.from({ length: n }, (_, at) => ({ at, kind: 'restatement', target: 'mainnet', detail: {} }));
  expect(kinds(await stage.see(undefined, midnight, changed(1)))).toEqual(['fired']);
  expect(await stage.see(undefined, midnight + minute, changed(2))).toEqual([]);
  const [news] = await stage.see(undefined, midnight + hour, changed(500));
  expect(news).toMatchObject({ kind: 'changed', notice: 'restatement' });
  expect(news?.text).toContain('502 closed candles');
});

test('coverage names the cause, and not that the run before was still going', async () => {
  const stage = await staged();
  const slot = (n: number, more: object) => ({ ...makeSlot(midnight + n * minute, 'unknown'), ...more });
  const waiting = { state: 'overlap', outcome: undefined, reason: 'the run before it was still going' };
  await stage.see(slot(0, { reason: 'the ledger cannot be reached: ECONNREFUSED' }) as SlotRecord, midnight);
  await stage.see(slot(1, waiting) as unknown as SlotRecord, midnight + minute);
  const [page] = await stage.see(slot(2, waiting) as unknown as SlotRecord, midnight + 2 * minute);
  expect(page?.text).toContain('the ledger cannot be reached');
  expect(page?.text).not.toContain('still going');
});

test('a sink takes only what is severe enough and about its targets', async () => {
  const command = { kind: 'command', command: ['true'] } as const;
  const sinks = [
    { ...command, name: 'all' },
    { ...command, name: 'pages', severity: 'page' as const },
    { ...command, name: 'others', targets: ['testnet'] },
  ];
  const stage = await staged({ alerting: { ...makeDefinition().alerting, sinks } });
  const sent = async (): Promise<string[]> =>
    (await stage.store.dueDeliveries(midnight + 99 * day)).map(({ sink }) => sink);
  stage.isGone = true;
  await stage.see(undefined, midnight, [
    { at: midnight, kind: 'restatement', target: 'mainnet', detail: {} },
  ]);
  expect(await sent()).toEqual(['all']);
  await stage.feed('....xx', midnight + minute);
  expect((await sent()).toSorted()).toEqual(['all', 'all', 'pages']);
});

test('the text at night says cause, place, start, whether it lasts, the exchange, the certainty and, last, the remedy', async () => {
  const stage = await staged();
  const [fired] = await stage.feed('....xx', midnight);
  expect(fired?.text.split('\n')).toEqual([
    'page: availability of mainnet from sydney: timeout at wait since 2026-11-21 01:00 UTC, and it lasts',
    'where: tokens/listTokens',
    'budget: bad 2 of 4 slots in 1h, 2 of 6 slots in 6h',
    'first bad exchange: GET https://api.example/tokens, status 503, after 12 ms',
    'certainty: 2 bad slots without a good one of the same probe, 0 of them tried a second time',
    'do: try the exchange from another network, and ask those who run the API',
  ]);
});

test('the text about a broken rule says what the wrong answers share, and ends with what the rule means to readers', async () => {
  const stage = await staged({ objectives: [{ indicator: 'correctness', objective: 0.99 }] });
  const wrong = {
    failure: { phase: 'contract', class: 'candle/high-is-highest' },
    rules: ['candle/high-is-highest'],
  } as const;
  const sent: AlertMessage[] = [];
  for (const n of [0, 1, 2, 3])
    sent.push(
      ...(await stage.see(
        makeSlot(midnight + n * cadence, n > 1 ? 'failed' : 'ok', n > 1 ? wrong : {}),
        midnight + n * cadence + 1000,
      )),
    );
  const { why } = choose(['candle/high-is-highest']).chosen.rules[0] ?? {};
  const lines = sent[0]?.text.split('\n') ?? [];
  expect(lines[1]).toBe('pattern: only inverted');
  expect(lines.at(-1)).toBe(`do: send the exchange to those who run the API; until it is mended: ${why}`);
});

type Step = {
  readonly gap: number;
  readonly outcome: 'ok' | 'failed' | 'limited';
  readonly changed: number;
  readonly isGone: boolean;
  readonly event: 'none' | 'kill' | 'ahead' | 'back';
};

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    gap: fc.constantFrom(minute, 5 * minute, cadence, cadence, cadence, hour),
    outcome: fc.constantFrom('ok', 'ok', 'failed', 'failed', 'limited'),
    changed: fc.constantFrom(0, 0, 0, 0, 1, 30),
    isGone: fc.boolean(),
    event: fc.constantFrom('none', 'none', 'none', 'kill', 'ahead', 'back'),
  }),
  { minLength: 5, maxLength: 60 },
);

/** Three short outages that burn a budget together, and good slots until nobody waits for a fourth. */
const scattered = [
  ...([1, 1, 1, 1, 15, 15, 1, 1, 1, 1, 1, 1] as const).map(
    (gap, at): Step => ({
      ...{ gap: gap * minute, outcome: [0, 2, 6].includes(at) ? 'failed' : 'ok' },
      ...{ changed: 0, isGone: false, event: 'none' },
    }),
  ),
];

/** The clock goes back, and with it comes the instant at which another alert began. */
const sameInstant = [
  { gap: minute, outcome: 'ok', changed: 30, event: 'none' },
  { gap: 5 * minute, outcome: 'limited', changed: 0, event: 'back' },
  { gap: 15 * minute, outcome: 'failed', changed: 0, event: 'none' },
  { gap: 15 * minute, outcome: 'failed', changed: 0, event: 'back' },
  { gap: 15 * minute, outcome: 'ok', changed: 1, event: 'ahead' },
].map((step): Step => ({ ...(step as Step), isGone: false }));

/** Plays a history; what was raised, what arrived, and how many slots were not bad before each. */
async function play(all: readonly Step[]) {
  const stage = await staged();
  const raised: { readonly message: AlertMessage; readonly goodSlots: number }[] = [];
  let [now, goodSlots] = [midnight, 0];
  for (const { gap, outcome, changed, isGone, event } of all) {
    now += gap;
    stage.isGone = isGone;
    if (event === 'kill') await stage.restart(now);
    if (event === 'ahead' || event === 'back') {
      const by = event === 'ahead' ? 50 * minute : -50 * minute;
      now += by;
      await stage.shift(by);
    }
    goodSlots = outcome === 'failed' ? 0 : goodSlots + (outcome === 'ok' ? 1 : 0);
    const events = Array.from({ length: changed }, () => restated(now));
    const messages = await stage.see(makeSlot(now, outcome), now + 500, events);
    raised.push(...messages.map((message) => ({ message, goodSlots })));
  }
  stage.isGone = false;
  for (let n = 1; n < 5; n++) {
    const messages = await stage.see(undefined, now + n * 2 * hour);
    raised.push(...messages.map((message) => ({ message, goodSlots })));
  }
  return { raised, taken: stage.taken, isLeft: stage.store.outbox().length > 0 };
}

function restated(at: number): EventRecord {
  return { at, kind: 'restatement', target: 'mainnet', detail: {} };
}

/** The life of an alert in kinds of messages: nothing before it fired or after its end, no reminder of what is over. */
const life = /^(fired( changed| reminder)* resolved ?)*(fired( changed| reminder)*)?$/;

function kindsByAlert(messages: readonly AlertMessage[]): Map<string, string[]> {
  const groups = Map.groupBy(messages, ({ alert = '' }) => alert);
  return new Map([...groups].map(([alert, all]) => [alert, kinds(all)]));
}

test('in any history each state is delivered in order or replaced, and no reminder follows the end', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { raised, taken, isLeft } = await play(all);
      expect(isLeft).toBe(false);
      const messages = raised.map(({ message }) => message);
      const arrived = kindsByAlert(taken);
      for (const [alert, said] of kindsByAlert(messages)) {
        expect(said.join(' ')).toMatch(life);
        // The first that arrives is that it fired, unless it was over by then; what is newest always arrives.
        const [first, ...more] = arrived.get(alert) ?? [];
        expect(['fired', 'resolved']).toContain(first);
        const last = [first, ...more].at(-1);
        const isOpen = said.at(-1) !== 'resolved';
        // A beginning that had not arrived is made anew as it is sent, and stands for all that followed.
        if (isOpen && last === 'fired') expect(said).toContain('fired');
        else expect(last).toBe(said.at(-1));
      }
      for (const { message, goodSlots } of raised) {
        if (message.kind === 'resolved' && message.indicator && !message.text.includes('flapped'))
          expect(goodSlots).toBeLessThanOrEqual(2);
      }
      // The messages of one alert arrive in the order in which they were raised; no other alert waits for them.
      for (const about of Map.groupBy(taken, ({ alert }) => alert).values()) {
        const places = about.map(({ id }) => messages.findIndex((message) => message.id === id));
        expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
      }
    }),
    { examples: [[scattered], [sameInstant]] },
  );
});
