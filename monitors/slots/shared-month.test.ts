import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountId } from '@candleproof/client/ledger/ledger-store';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import { type TestDatabase, test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import { monitorNumbers } from '../page/numbers.ts';
import { readFacts } from '../page/page-facts.ts';
import { samplePlan } from '../page/testing/sample-monitor.ts';
import { monitorView } from '../page/view.ts';
import { planMonitoring } from '../plan/plan.ts';
import { openPostgresResultsForReading } from '../results/open-source.ts';
import { isWithin } from '../testing/october/script.ts';
import { OctoberServices } from '../testing/october/services.ts';
import {
  countRemaining,
  sharedDefinition,
  sharedLimit,
  sharedReserve,
  sharedShares,
} from '../testing/shared-month/definition.ts';
import { expectedGrid, isLost } from '../testing/shared-month/expected.ts';
import { Pager } from '../testing/shared-month/pager.ts';
import { playSharedMonth } from '../testing/shared-month/play.ts';
import { locations, type SharedScript, sharedScript } from '../testing/shared-month/script.ts';

const always = { from: 0, to: 9e15 };

for (const [title, days, timeout] of [
  ['two days @endurance', 2, 240_000],
  ['a month @thorough', 31, 600_000],
] as const) {
  test(`${title} of three locations on one key go as the script has it`, async ({ postgres }) => {
    test.setTimeout(timeout);
    const script = sharedScript(days);
    const folder = mkdtempSync(join(tmpdir(), 'candleproof-shared-month-'));
    const quota = { limit: sharedLimit, remaining: countRemaining(script) };
    const services = await OctoberServices.start(folder, { begin: script.month.begin, quota });
    const pager = await Pager.open();
    try {
      const played = await playSharedMonth({ folder, services, webhook: pager.url, postgres, script });
      // The request that finds it out is one of them.
      expect(played.remaining).toBeGreaterThanOrEqual(sharedReserve - 1);
      await everySlotIsTheScripts(postgres, script);
      await foreignUseIsBookedOnce(postgres, services, script);
      alertsAreTheScripts(pager, script);
    } finally {
      pager.close();
      await services.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** Each instant of the grid has the row of its owner, and coverage is what they ran of them. */
async function everySlotIsTheScripts({ address }: TestDatabase, script: SharedScript): Promise<void> {
  const store = await openPostgresResultsForReading(address);
  const rows = await store.slots(always);
  const grid = expectedGrid(script, tokensPeriod(script));
  expect(
    rows.map(({ series, scheduledAt }) => `${scheduledAt} ${series.probe} ${series.location}`).toSorted(),
  ).toEqual(grid.map(({ at, probe, owner }) => `${at} ${probe} ${owner}`).toSorted());
  const lost = grid.filter((gridSlot) => isLost(gridSlot, script) && gridSlot.owner === 'nyc');
  const missed = rows.filter(({ state }) => state === 'missed');
  expect(missed.map(({ scheduledAt, series }) => [scheduledAt, series.location])).toEqual(
    lost.map(({ at }) => [at, 'nyc']),
  );
  const { targets, window } = monitorNumbers(
    monitorView(await readFacts(store, script.month.over), samplePlan),
  );
  for (const location of locations) {
    const locationSlots = rows.filter(
      ({ series, scheduledAt }) => series.location === location && scheduledAt >= Date.parse(window.from),
    );
    const run = locationSlots.filter(({ state }) => state === 'run');
    const numbers = targets.find((target) => target.location === location && target.n > 0);
    expect(numbers?.watched?.coverage).toBeCloseTo(run.length / locationSlots.length, 9);
  }
  await store.close();
}

function tokensPeriod({ month }: SharedScript): number {
  const key = { name: 'mainnet', limit: sharedLimit, shares: sharedShares, targets: ['mainnet'] };
  const { probes } = planMonitoring({
    definition: sharedDefinition('fra', ''),
    keys: [key],
    now: month.begin,
  });
  return probes.find(({ probe }) => probe.name === 'tokens')?.period ?? 0;
}

async function foreignUseIsBookedOnce(
  { address }: TestDatabase,
  { mainnet }: OctoberServices,
  { foreign }: SharedScript,
): Promise<void> {
  const ledgers = await openLedgers(address, { readQuota: readOurQuota });
  const events = await ledgers.account(accountId(mainnet.url, mainnet.apiKey)).events(0);
  await ledgers.close();
  expect(events.filter(({ event }) => event.kind === 'foreign-use')).toMatchObject([
    { event: { n: foreign.requests } },
  ]);
}

/** The quota is so short that the monitors sometimes foresee its end: those notices are not compared. */
function alertsAreTheScripts({ pages }: Pager, { partition, outage }: SharedScript): void {
  expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length);
  const during = (span: { readonly from: number }, kind: string, what: string): string[] =>
    pages
      .filter((page) => page.kind === kind && (page.indicator ?? page.notice) === what)
      .filter(({ at }) => Date.parse(at) > span.from)
      .map(({ location }) => location)
      .toSorted();
  expect(during({ from: 0 }, 'fired', 'availability')).toEqual(locations);
  expect(during(outage, 'fired', 'availability')).toEqual(locations);
  expect(during(outage, 'resolved', 'availability')).toEqual(locations);
  expect(during({ from: 0 }, 'fired', 'foreign-use')).toEqual(locations);
  // The location that is cut off goes on.
  const blind = pages.filter(({ at, location, notice }) => {
    return notice === 'coverage' && location === 'syd' && isWithin(partition, Date.parse(at));
  });
  expect(blind).toEqual([]);
}
