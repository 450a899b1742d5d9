import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { monitorPages } from '../page/monitor-page.ts';
import { monitorNumbers } from '../page/numbers.ts';
import { readFacts } from '../page/page-facts.ts';
import { monitorView } from '../page/view.ts';
import { slotPlan } from '../plan/slot-plan.ts';
import type { SlotRecord } from '../results/probe-record.ts';
import type { EventRecord, ResultsReader } from '../results/results-store.ts';
import { openResultsForReading } from '../results/sqlite/open.ts';
import { limit, objectives, octoberDefinition, shares } from '../testing/october/definition.ts';
import {
  computeCoverage,
  type ExpectedSlot,
  expectedSlots,
  sumDowntime,
} from '../testing/october/expected.ts';
import { type OctoberResult, playOctober } from '../testing/october/play.ts';

import {
  corrupted,
  foreign,
  isWithin,
  month,
  outages,
  restated,
  stale,
  wrongAfter,
} from '../testing/october/script.ts';

import { OctoberServices } from '../testing/october/services.ts';

const endured = { tag: '@endurance' };
test.describe.configure({ mode: 'serial', timeout: 600_000 });

type Month = {
  readonly played: OctoberResult;
  readonly wrongSlot: number;
  readonly expected: readonly ExpectedSlot[];
  readonly store: ResultsReader;
  readonly slots: readonly SlotRecord[];
  readonly events: readonly EventRecord[];
  readonly services: OctoberServices;
  readonly folder: string;
};

const always = { from: 0, to: 9e15 };
let october: Month;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-october-'));
  const services = await OctoberServices.start(folder);
  const history = octoberDefinition().probes.find(({ name }) => name === 'history');
  if (!history) throw new Error('the month has no history probe');
  const wrongSlot = slotPlan(history, { location: 'october' }).next(wrongAfter);
  const played = await playOctober({ folder, services, wrongSlot });
  const store = await openResultsForReading(played.dataDir);
  october = {
    folder,
    services,
    wrongSlot,
    played,
    store,
    expected: expectedSlots({ wrongSlot, killedAt: played.killedAt }),
    slots: await store.slots(always),
    events: await store.events(always),
  };
});

test.afterAll(async () => {
  await october.store.close();
  await october.services.close();
  rmSync(october.folder, { recursive: true, force: true });
});

test('every planned slot of the month has the row that the script gives it', endured, () => {
  const reported = october.slots.map(
    ({ series, scheduledAt, state, outcome, stale: isStale = false }) =>
      `${scheduledAt} ${series.target}/${series.probe} ${outcome ?? state}${isStale ? ' stale' : ''}`,
  );
  const wanted = october.expected.map(
    // A stale answer is one of poor quality, not a failed one.
    ({ at, target, probe, outcome, isStale }) =>
      `${at} ${target}/${probe} ${isStale ? 'degraded stale' : outcome}`,
  );
  expect(reported.toSorted()).toEqual(wanted.toSorted());
});

test('failures name what failed: the outage by its status, the wrong candle by its rule', endured, () => {
  const failures = october.slots.flatMap(({ scheduledAt, failure, rawOutcome }) =>
    failure ? [{ scheduledAt, failure, rawOutcome }] : [],
  );
  const wanted = october.expected.flatMap(({ at, why }) => {
    if (why === '') return [];
    const failure = {
      outage: { phase: 'status', class: '503' },
      wrong: { phase: 'contract', class: 'candle/high-is-highest' },
      corrupted: { phase: 'contract', class: 'history/closed-candles-stay' },
    }[why];
    // Each was looked at a second time.
    return [{ scheduledAt: at, failure, rawOutcome: 'failed' }];
  });
  expect(failures).toEqual(wanted);
});

test('the report has the downtime, staleness, coverage and counts of the script', endured, async () => {
  const numbers = await numbersAt(month.over);
  for (const target of ['mainnet', 'testnet']) {
    const from = Date.parse(numbers.window.from);
    const targetSlots = october.expected.filter(
      (expectedSlot) => expectedSlot.target === target && expectedSlot.at >= from,
    );
    const judged = targetSlots.filter(({ outcome }) => outcome === 'ok' || outcome === 'failed');
    const outage = targetSlots.filter(({ why }) => why === 'outage').length;
    const wrong = targetSlots.filter(({ why }) => why === 'wrong' || why === 'corrupted').length;
    const reported = numbers.targets.find((figures) => figures.target === target);
    expect(reported).toMatchObject({
      n: judged.length,
      availability: (judged.length - outage) / judged.length,
      correctness: (judged.length - outage - wrong) / (judged.length - outage),
      coverage: computeCoverage(targetSlots),
      downtime: outage > 0 ? answered(sumDowntime(targetSlots)) : { least: 0, most: 0, unwatched: 0 },
    });
    const latest = reported?.operations.find(({ operation }) => operation === 'getLatestV1PoolCandle');
    const looks = targetSlots.filter(({ probe, outcome }) => probe === 'latest' && outcome === 'ok');
    const staleLooks = looks.filter(({ isStale }) => isStale);
    expect(latest?.freshness.n).toBe(looks.length);
    const oldest = Math.max(...staleLooks.map(({ at }) => at - stale.from), 0);
    // Ages are kept to within a hundred-and-twenty-eighth.
    if (oldest > 0) {
      expect(Math.abs((latest?.freshness.max ?? 0) - oldest)).toBeLessThanOrEqual(oldest / 128 + 1000);
    }
  }
});

test('quota and ledger account for every request of the month', endured, async () => {
  const sent = (target: string): number =>
    october.slots
      .filter(({ series, scheduledAt }) => series.target === target && scheduledAt < month.end)
      .flatMap(({ samples }) => samples)
      // A refused key has no account that could count.
      .filter(({ status }) => status !== 401).length;
  // The killed slot's request is no sample, yet the service counted it.
  const ours = sent('mainnet') + (killedTarget() === 'mainnet' ? 1 : 0);
  expect(limit - october.played.remaining).toBe(ours + october.played.foreignRequests);
  const ledger = october.events.filter(({ key }) => key !== undefined);
  const kinds = ledger.map(({ kind, key, detail }) => `${key} ${kind} ${detail.n ?? ''}`.trim());
  expect(kinds.toSorted()).toEqual([
    `mainnet foreign-use ${foreign.requests}`,
    'mainnet roll-over',
    'testnet roll-over',
  ]);
  const numbers = await numbersAt(month.over);
  const later = october.slots.filter(
    ({ series, scheduledAt }) => series.target === 'testnet' && scheduledAt >= month.end,
  );
  expect(numbers.keys.find(({ key }) => key === 'testnet')).toMatchObject({
    limit,
    remaining: limit - later.reduce((sum, { samples }) => sum + samples.length, 0),
    additionalTotal: 0,
  });
});

test('one corrected candle is one restatement with its field and its age', endured, () => {
  const reported = october.events.filter(({ kind, at }) => kind === 'restatement' && at < corrupted.from);
  expect(reported).toHaveLength(1);
  const age = restated.at - (restated.hour + 3600) * 1000;
  expect(reported[0]).toMatchObject({
    kind: 'restatement',
    target: 'mainnet',
    detail: {
      interval: 'HOUR',
      start: restated.hour,
      changed: { avg: [expect.any(String), expect.any(String)] },
    },
  });
  const { ageFromMs, ageToMs } = reported[0]?.detail ?? {};
  expect(Number(ageFromMs)).toBeLessThanOrEqual(age);
  expect(Number(ageToMs)).toBeGreaterThanOrEqual(age);
});

test(
  'a doubled volume in every closed hour is reported once, by its field, and is no new network',
  endured,
  () => {
    const looks = october.expected.filter(({ why }) => why === 'corrupted').map(({ at }) => at);
    expect(looks).toHaveLength(2);
    const reported = october.events.filter(({ kind, at }) => kind === 'restatement' && at > corrupted.from);
    expect(new Set(reported.map(({ at }) => at))).toEqual(new Set(looks.slice(0, 1)));
    const starts = reported.map(({ detail }) => Number(detail.start)).toSorted((a, b) => a - b);
    // Hours that were closed and seen at the slot before, and are requested again: two days and an odd part of one,
    // without the hour at the edge.
    const newest = Math.floor((looks[0] ?? 0) / 3_600_000 - 3) * 3600 - 3600;
    const oldest = Math.ceil((looks[0] ?? 0) / 3_600_000 - 47) * 3600;
    expect(starts.at(-1)).toBe(newest);
    expect(Math.abs((starts[0] ?? 0) - oldest)).toBeLessThanOrEqual(3600);
    expect(starts).toEqual(starts.map((_, n) => (starts[0] ?? 0) + n * 3600));
    for (const { detail } of reported) {
      expect(Object.keys(detail.changed ?? {}).filter((name) => !name.startsWith('volume'))).toEqual([]);
      const [before, after] = (detail.changed as { volume: [string, string] }).volume;
      expect(Number(after) / Number(before)).toBeCloseTo(2, 6);
    }
    expect(october.events.filter(({ kind }) => kind === 'network-reset' || kind === 'past-accepted')).toEqual(
      [],
    );
  },
);

test('a monitor that was dead between two outages makes two incidents of them', endured, async () => {
  const incidents = (await october.store.incidents(always)).filter(
    ({ indicator, target }) => indicator === 'availability' && target === 'mainnet',
  );
  const bad = outages.map((span) =>
    october.expected.filter(({ why, at }) => why === 'outage' && isWithin(span, at)).map(({ at }) => at),
  );
  const reported = incidents.map(({ begin, lastBad, slots }) => [begin, lastBad, slots]);
  expect(reported).toEqual(bad.map((instants) => [instants[0], instants.at(-1), instants.length]));
  const [, second, third] = incidents;
  expect(second).toMatchObject({ end: second?.lastBad, unwatched: 3 * 3_600_000 });
  expect(third).toMatchObject({ unwatchedBefore: 3 * 3_600_000 });
});

test('no file and no page of the month holds a key', endured, async () => {
  const keys = [october.services.mainnet.apiKey, october.services.testnet.apiKey];
  const texts = readdirSync(october.played.dataDir, { recursive: true, withFileTypes: true })
    .filter((dirent) => dirent.isFile())
    .map((dirent) => readFileSync(join(dirent.parentPath, dirent.name), 'latin1'));
  const facts = await readFacts(october.store, month.over);
  texts.push(
    readFileSync(join(october.folder, 'ledger.db'), 'latin1'),
    ...Object.values(monitorPages(facts, method)),
  );
  for (const key of keys) expect(texts.filter((text) => text.includes(key))).toEqual([]);
});

const method = {
  location: 'october',
  objectives: Object.entries(objectives).map(([indicator, objective]) => ({
    indicator: indicator as keyof typeof objectives,
    ...objective,
  })),
  probes: [],
  maintenance: [],
  shares: { mainnet: shares, testnet: shares },
  versions: { candleproof: 'test', catalogue: '000000000001' },
};

function killedTarget(): string | undefined {
  return october.expected.find(({ at }) => at === october.played.killedAt)?.target;
}

async function numbersAt(now: number) {
  return monitorNumbers(monitorView(await readFacts(october.store, now), method));
}

/** Slots are planned for whole seconds, and answered some ms later. */
function answered({ most, ...rest }: ReturnType<typeof sumDowntime>) {
  return { ...rest, most: expect.closeTo(most, -4) };
}
