import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountId } from '@candleproof/client/ledger/ledger-store';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import { expect, test } from '@playwright/test';
import { listLost } from '../alerting/testing/lost-messages.ts';
import { openReceiver, type Receiver } from '../alerting/testing/receiver.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import type { EventRecord, ResultsReader } from '../results/results-store.ts';
import { openResultsForReading } from '../results/sqlite/open.ts';
import { crashDefinition, limits, shares, targets } from '../testing/crash/definition.ts';
import { listBurns, plannedSlots } from '../testing/crash/expected.ts';
import { type CrashResult, playKills } from '../testing/crash/play.ts';
import { CrashServices } from '../testing/crash/services.ts';

const kills = Number(process.env.CANDLEPROOF_KILLS ?? (process.env.CANDLEPROOF_THOROUGH ? 20 : 6));
const seed = Number(process.env.CANDLEPROOF_SEED ?? 1);
const patience = 90_000 + kills * 8000;
const always = { from: 0, to: 9e15 };
const inFlight = 'in flight when the monitor ended';
const tooBusy = 'the monitor was too busy to run it in time';

const endured = { tag: '@endurance' };
test.describe.configure({ mode: 'serial', timeout: patience });

type Aftermath = {
  readonly folder: string;
  readonly services: CrashServices;
  readonly pager: Receiver;
  readonly played: CrashResult;
  readonly store: ResultsReader;
  readonly slots: readonly SlotRecord[];
  readonly events: readonly EventRecord[];
};

let after: Aftermath;

test.beforeAll(async () => {
  test.setTimeout(patience);
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-crash-'));
  const services = await CrashServices.start(folder);
  const pager = await openReceiver(slowly());
  const played = await playKills({ folder, services, webhook: pager.url, kills, seed });
  const store = await openResultsForReading(played.dataDir);
  const [slots, events] = [await store.slots(always), await store.events(always)];
  after = { folder, services, pager, played, store, slots, events };
});

test.afterAll(async () => {
  await after.store.close();
  await after.services.close();
  await after.pager.close();
  rmSync(after.folder, { recursive: true, force: true });
});

/** A receiver that takes its time, and refuses every fifth message. */
function slowly(): Parameters<typeof openReceiver>[0] {
  let requested = 0;
  return (response) => {
    requested += 1;
    response.writeHead(requested % 5 === 0 ? 503 : 204);
    setTimeout(() => response.end(), (requested * 97) % 250);
  };
}

const nameOf = ({ series }: SlotRecord): string => `${series.target}/${series.probe}`;

test(`the store opens whole after each of ${kills} kills`, endured, () => {
  expect(after.played.damage).toEqual([]);
});

test('every planned slot has exactly one row with its result', endured, () => {
  const rows = after.slots.map((slot) => `${slot.scheduledAt} ${nameOf(slot)}`);
  expect(rows.toSorted()).toEqual(plannedSlots(after.played.end).toSorted());
  // A slot that came while a run was going that failed shares its failure.
  const shares = after.slots.filter(({ state, outcome }) => state === 'overlap' && outcome === 'failed');
  const others = after.slots.filter((slot) => !shares.includes(slot));
  const mute = others.filter(({ state, outcome }) => (state === 'run') !== (outcome !== undefined));
  expect(mute).toEqual([]);
});

test('each kill aborts at most one run of a probe and reports it', endured, () => {
  const { lives } = after.played;
  const broken = after.slots.filter(({ reason }) => reason === inFlight);
  expect(broken.filter(({ outcome, state }) => outcome !== 'unknown' || state !== 'run')).toEqual([]);
  const deaths = broken.map((slot) => {
    const started = slot.startedAt ?? 0;
    return `${nameOf(slot)} ${lives.findLastIndex(({ first = Infinity }) => started >= first)}`;
  });
  expect(new Set(deaths).size).toBe(deaths.length);
  // Most kills come in the middle of a request.
  expect(broken.length).toBeGreaterThanOrEqual(Math.floor(kills / 10));
});

test('slots are missed only while no monitor ran, but for a few on a busy machine', endured, () => {
  const awake = after.played.lives.flatMap(({ first, confirmed = first }) =>
    first === undefined || confirmed === undefined ? [] : [{ first, confirmed }],
  );
  const missed = after.slots.filter(({ state }) => state === 'missed');
  const wrongly = missed.filter(({ scheduledAt }) =>
    awake.some(({ first, confirmed }) => scheduledAt > first && scheduledAt <= confirmed),
  );
  expect(wrongly.filter(({ reason }) => reason !== tooBusy)).toEqual([]);
  expect(wrongly.length).toBeLessThanOrEqual(after.slots.length / 50);
  expect(missed.length).toBeGreaterThan(0);
});

/** Ms until a message: changes of an alert are a quarter of an hour apart, and a killed monitor sends nothing. */
const untilSaid = 3_600_000;

test('alerts are those that the stored slots demand, each reported once', endured, () => {
  const events = after.events.filter(({ kind }) => /^alert-(fired|changed|resolved)$/.test(kind));
  const ids = events.map(({ detail }) => detail.id);
  expect(new Set(ids).size).toBe(ids.length);
  const burns = targets.flatMap((target) =>
    crashDefinition('').objectives.flatMap(({ indicator, objective }) =>
      listBurns(after.slots, target, indicator, objective).map((at) => ({ target, indicator, at })),
    ),
  );
  expect(burns.length).toBeGreaterThan(0);
  const concerns = (event: EventRecord, target: string): boolean =>
    event.target === target || (Array.isArray(event.detail.touched) && event.detail.touched.includes(target));
  const isSoon = (event: EventRecord, at: number): boolean => event.at >= at && event.at <= at + untilSaid;
  const unsaid = burns.filter(
    ({ target, at }) =>
      !events.some(
        (event) => event.kind !== 'alert-resolved' && concerns(event, target) && isSoon(event, at),
      ),
  );
  expect(unsaid).toEqual([]);
  const fired = events.filter(({ kind, detail }) => kind === 'alert-fired' && detail.indicator !== undefined);
  const firsts = [...new Map(fired.toReversed().map((event) => [event.detail.alert, event])).values()];
  expect(firsts.length).toBeGreaterThan(0);
  const causeless = firsts.filter(
    (event) =>
      !burns.some(
        ({ target, indicator, at }) =>
          concerns(event, target) && indicator === event.detail.indicator && isSoon(event, at),
      ),
  );
  expect(causeless).toEqual([]);
  // Two messages of one millisecond have their order by their numbers alone.
  const inOrder = events.toSorted((one, other) => Number(one.detail.number) - Number(other.detail.number));
  for (const all of Map.groupBy(inOrder, ({ detail }) => detail.alert).values()) {
    const kinds = all.map(({ kind }) => kind.replace('alert-', '')).join(' ');
    expect(kinds).toMatch(/^(fired( changed)* resolved ?|resolved ?)*(fired( changed)*)?$/);
  }
});

test(
  'the webhook got every alert that none replaced, and copies of one are the same message',
  endured,
  async () => {
    expect(await after.store.dueDeliveries(9e15)).toEqual([]);
    const bodies = Map.groupBy(after.pager.received, ({ headers }) => headers['x-candleproof-id']);
    const wanted = after.events
      .filter(({ kind }) => kind.startsWith('alert-'))
      // No message about a sink that fails goes to itself, and there is no other.
      .filter(({ detail }) => detail.notice !== 'sink')
      .toSorted(
        ({ detail: one }, { detail: other }) =>
          String(one.since).localeCompare(String(other.since)) || Number(one.number) - Number(other.number),
      )
      .map(({ detail }) => detail.id);
    expect([...bodies.keys()].filter((id) => !wanted.includes(id as string))).toEqual([]);
    expect(listLost(wanted, new Set(bodies.keys()))).toEqual([]);
    // A copy is worded as it is sent.
    for (const copies of bodies.values())
      expect(new Set(copies.map(({ body }) => JSON.parse(body).kind)).size).toBe(1);
  },
);

test('the ledger counts what the service counts, up to the requests in flight', endured, async () => {
  const { played, services, slots, events } = after;
  const ledgers = await openLedgers(played.ledger, { readQuota: readOurQuota, now: () => played.end });
  for (const { name, url, apiKey } of services.reported) {
    const account = ledgers.account(accountId(url, apiKey));
    const left = (await services.ask(name)) + 1;
    expect((await account.status(played.end))?.remaining, name).toBe(left);
    const targetSlots = slots.filter(({ series }) => series.target === name);
    const broken = targetSlots.filter(({ reason }) => reason === inFlight).length;
    const foreign = name === 'mainnet' ? played.foreign : 0;
    const unexplained =
      limits[name] - left - foreign - targetSlots.reduce((n, { samples }) => n + samples.length, 0);
    expect(unexplained).toBeGreaterThanOrEqual(0);
    // A slot that was broken off may have looked twice.
    expect(unexplained).toBeLessThanOrEqual(2 * broken);
    expect(left).toBeGreaterThanOrEqual((limits[name] * shares.reserve) / 100);
    const seen = await account.events(0);
    const reported = seen.map(({ event: { kind, at } }) => `${kind} ${at}`);
    const kept = events.filter(({ key }) => key === name).map(({ kind, at }) => `${kind} ${at}`);
    expect(kept).toEqual(reported);
    const foreignly = seen.reduce((n, { event }) => n + ('n' in event ? event.n : 0), 0);
    expect(foreignly, JSON.stringify(seen)).toBeLessThanOrEqual(foreign);
    expect(foreignly).toBeGreaterThanOrEqual(foreign - played.hidden);
  }
  await ledgers.close();
  expect(slots.some(({ state }) => state === 'quota-skipped')).toBe(true);
});
