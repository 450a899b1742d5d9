import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runInZone } from '@candleproof/testing/environment';
import { expect, test } from '@playwright/test';
import type { ProbeRhythm } from '../plan/definition.ts';
import { type MaintenanceWindow, maintenanceEnd } from '../plan/maintenance.ts';
import { planMonitoring } from '../plan/plan.ts';
import { makeDefinition, tokensProbe } from '../testing/watching.ts';
import { repeatEverySecond } from './watch.ts';

function isExcluded(windows: readonly MaintenanceWindow[], instant: number): boolean {
  return maintenanceEnd(windows, instant) !== undefined;
}

const [second, hour] = [1000, 3_600_000];
const day = 24 * hour;

/** Each with its changes of 2026 and 2027: whole hours, half an hour, on both hemispheres, and one that has none. */
const changes: Readonly<Record<string, readonly string[]>> = {
  UTC: ['2026-03-29T01:00Z', '2026-10-25T01:00Z', '2027-03-28T01:00Z', '2027-10-31T01:00Z'],
  'Europe/London': ['2026-03-29T01:00Z', '2026-10-25T01:00Z', '2027-03-28T01:00Z', '2027-10-31T01:00Z'],
  'America/New_York': ['2026-03-08T07:00Z', '2026-11-01T06:00Z', '2027-03-14T07:00Z', '2027-11-07T06:00Z'],
  'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T15:30Z', '2027-04-03T15:00Z', '2027-10-02T15:30Z'],
  'America/Santiago': ['2026-04-05T03:00Z', '2026-09-06T04:00Z', '2027-04-04T03:00Z', '2027-09-05T04:00Z'],
};

const rhythms: readonly ProbeRhythm[] = [
  { every: 7 * 60 * second },
  { every: 'budget' },
  { cron: '*/15 * * * *' },
  { cron: '30 */10 1-3 * * *' },
  { cron: '0 0 L * *' },
  { cron: '30 1 * * 0#1' },
];

const windows: readonly MaintenanceWindow[] = [
  { zone: 'Europe/London', days: ['sunday'], from: '01:15', to: '02:45' },
  { zone: 'America/New_York', from: '2026-11-01T01:30', to: '2026-11-01T02:30' },
];

/** Counts the whole seconds that a scheduler sees of the three before and the three from an instant on. */
async function secondsAround(instant: number): Promise<number> {
  let seen = 0;
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: instant - 3500 });
  try {
    const end = repeatEverySecond(async () => {
      seen += 1;
    });
    for (let step = 0; step < 60; step++) {
      mock.timers.tick(100);
      await turn();
    }
    await end();
  } finally {
    mock.timers.reset();
  }
  return seen;
}

for (const [zone, instants] of Object.entries(changes)) {
  test(`each second comes when the clocks of ${zone} are changed, and in the hour after`, () =>
    runInZone(zone, async () => {
      for (const instant of instants.map((instant) => Date.parse(instant))) {
        for (const at of [instant, instant + hour / 2, instant + hour]) {
          expect([new Date(at).toISOString(), await secondsAround(at)]).toEqual([expect.any(String), 6]);
        }
      }
    }));

  // The same on the machine in UTC by definition; further years bring no further kind of change.
  if (zone === 'UTC') continue;
  const tried = process.env.CANDLEPROOF_THOROUGH ? instants : instants.slice(0, 2);
  const tag = zone === 'Europe/London' ? [] : '@endurance';
  test(`every kind of schedule has the same instants on a machine in ${zone} as anywhere`, {
    tag,
  }, async () => {
    const planned = (): unknown =>
      tried
        .map((instant) => Date.parse(instant))
        .map((change) => {
          const probes = rhythms.map((rhythm, n) => tokensProbe('mainnet', { name: `p${n}`, rhythm }));
          const plan = planMonitoring({ definition: makeDefinition(probes), keys: [], now: change });
          const [from, to] = [change - day, change + day];
          const quarters = Array.from({ length: 192 }, (_, n) => from + (n * hour) / 4);
          return {
            slots: plan.probes.map((probe) => [probe.slots, probe.plan.list(from, to)]),
            next: plan.probes.map((probe) => probe.plan.next(change)),
            excluded: quarters.filter((at) => isExcluded(windows, at)),
          };
        });
    expect(await runInZone(zone, planned)).toEqual(await runInZone('UTC', planned));
  });
}
