import { version } from '@candleproof/files/package-files';
import type { Shares } from '@candleproof/law/planning/allowance';
import { rules } from '@candleproof/law/rules/catalogue';
import { catalogueVersion } from '@candleproof/law/rules/catalogue-version';
import { type Definition, probeCost } from '../plan/definition.ts';
import type { MaintenanceWindow } from '../plan/maintenance.ts';
import type { MonitorPlan as Planned } from '../plan/plan.ts';
import { methodName } from '../results/known-states.ts';
import type { Indicator } from '../results/probe-record.ts';
import type { ResultsReader } from '../results/results-store.ts';
import { rhythmInWords } from './plan-words.ts';

/** A promise about every target; `under` in ms: the limit of a good latency, or of the age of the newest candle. */
export type ReportedObjective = {
  readonly indicator: Indicator;
  /** A fraction such as 0.995. */
  readonly objective: number;
  readonly under?: number | undefined;
};

/** The part of a report that is not in the store: the objectives and the method. */
export type ReportedPlan = {
  readonly location: string;
  readonly objectives: readonly ReportedObjective[];
  readonly probes: readonly {
    readonly target: string;
    readonly probe: string;
    /** As in `every 15 minutes` or `at minute 0 of every sixth hour`. */
    readonly cadence: string;
    /** Requests that one slot takes. */
    readonly requests: number;
  }[];
  /** Windows in words, such as `sundays 02:00 to 04:00, Europe/London`; plans of older versions have no `schedule`. */
  readonly maintenance: readonly {
    readonly target: string;
    readonly window: string;
    readonly schedule?: MaintenanceWindow;
  }[];
  readonly shares: Readonly<Record<string, Shares>>;
  /** Requests a day of the probes of each key. */
  readonly perDay?: Readonly<Record<string, number>> | undefined;
  readonly versions: { readonly candleproof: string; readonly catalogue: string };
  /** The catalogue's statements by rule id, for broken rules. */
  readonly rules?: Readonly<Record<string, { readonly statement: string; readonly section: string }>>;
  /** The address of docs/rules.md as a page, with an anchor for every rule. */
  readonly rulesPage?: string | undefined;
};

/** Reads the plan that a store's monitor described last; undefined if the store only imported results. */
export async function readPlan(store: Pick<ResultsReader, 'state'>): Promise<ReportedPlan | undefined> {
  return (await store.state(methodName)) as ReportedPlan | undefined;
}

/** Returns the plan of one target. */
export function planOf(plan: ReportedPlan, target: string): ReportedPlan {
  const isOwn = (part: { readonly target: string }): boolean => part.target === target;
  return { ...plan, probes: plan.probes.filter(isOwn), maintenance: plan.maintenance.filter(isOwn) };
}

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
