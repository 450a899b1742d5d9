import { version } from '@candleproof/files/package-files';
import type { Shares } from '@candleproof/law/planning/allowance';
import type { MaintenanceWindow } from '@candleproof/law/planning/maintenance';
import { rules } from '@candleproof/law/rules/catalogue';
import { catalogueVersion } from '@candleproof/law/rules/catalogue-version';
import type { ReportedPlan } from '@candleproof/monitors/page/plan-facts';
import { type Definition, probeCost } from '@candleproof/monitors/plan/definition';
import type { MonitorPlan as Planned } from '@candleproof/monitors/plan/plan';
import { rhythmInWords } from '../words/monitor-plan-words.ts';

/** Describes how a monitor measures; the monitor keeps it in the store, so that a report needs no config. */
export function describeMethod(
  { location, objectives, maintenance }: Definition,
  { probes, keys }: Planned,
  shares: Readonly<Record<string, Shares>>,
): ReportedPlan {
  return {
    location,
    objectives,
    probes: probes.map(({ probe, period }) => ({
      target: probe.target,
      probe: probe.name,
      cadence: rhythmInWords(probe, period),
      requests: probeCost(probe),
    })),
    maintenance: maintenance.map(({ target, window }) => ({
      target,
      window: windowInWords(window),
      schedule: window,
    })),
    shares,
    perDay: Object.fromEntries(keys.flatMap(({ key, perDay }) => (key === undefined ? [] : [[key, perDay]]))),
    versions: { candleproof: version, catalogue: catalogueVersion },
  };
}

function windowInWords(window: MaintenanceWindow): string {
  const { from, to, zone } = window;
  return 'days' in window
    ? `${window.days.join(', ')} ${from} to ${to}, ${zone}`
    : `${from} to ${to}, ${zone}`;
}

/** Returns the statements of the rules by id, for pages that explain the rules they name. */
export function listStatements(): NonNullable<ReportedPlan['rules']> {
  return Object.fromEntries(rules.map(({ id, statement, section }) => [id, { statement, section }]));
}
