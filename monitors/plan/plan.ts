import {
  type MonthAccount,
  requestShare,
  type Shares,
  usualShares,
} from '@candleproof/law/planning/allowance';
import { day, monthBegin } from '../results/calendar.ts';
import { type CadenceJob, planCadence } from './cadence.ts';
import { type Definition, type Probe, probeCost } from './definition.ts';
import { type KnownLimit, type Running, resolveLimit, summarizeMonth } from './key-month.ts';
import { type ObjectivePlan, planObjectives } from './objective-plan.ts';
import { type DailyRecheck, planRecheck } from './recheck.ts';
import { probeId, type SlotPlace, type SlotPlan, slotPlan } from './slot-plan.ts';

/** Days of the longest month, so that a plan fits into every month. */
export const monthDays = 31;

/** In ms. */
const month = monthDays * day;

/** The facts of a key, and the targets that are requested with it. */
export type KeyFacts = {
  readonly name: string;
  /** Requests per month, if the config has them. */
  readonly limit?: number;
  /** As the last answer reported it, of the running month. */
  readonly account?: MonthAccount;
  readonly shares: Shares;
  readonly targets: readonly string[];
};

export type PlannedProbe = {
  readonly probe: Probe;
  readonly plan: SlotPlan;
  /** Milliseconds between two slots of all who share them; of a cron expression the usual distance. */
  readonly period: number;
  /** Most slots of a month, and the requests that they take without confirmations, of all that share them. */
  readonly slots: number;
  readonly requests: number;
};

/**
 * The probe that exceeds the budget most, with its requests, and the shortest period (ms) that the budget allows it;
 * absent if it allows none.
 */
type Overspent = { readonly probe: Probe; readonly requests: number; readonly affordable?: number };

/** The monitors' use of one key's month, or of a target's that needs no key. */
export type KeyPlan = KnownLimit & {
  readonly key?: string;
  readonly targets: readonly string[];
  /** Requests a month that are the monitors' share. */
  readonly budget: number;
  readonly requests: number;
  /** Requests a day that the plan takes. */
  readonly perDay: number;
  /** Requests that the budget lacks; a plan with any is refused. */
  readonly lacking: number;
  readonly over?: Overspent;
  /** Taken from the reserve while the probes are stopped; absent without a key or a light probe. */
  readonly recheck?: DailyRecheck;
  /** The running month, if an answer stated it. */
  readonly running?: Running;
};

export type MonitorPlan = {
  readonly probes: readonly PlannedProbe[];
  readonly keys: readonly KeyPlan[];
  readonly objectives: readonly ObjectivePlan[];
};

export type PlanFacts = {
  readonly definition: Definition;
  readonly keys: readonly KeyFacts[];
  /** Unix ms. */
  readonly now: number;
};

/**
 * Plans the use of a month of 31 days by the monitors of a definition, and what they can prove. A target without a
 * key has a separate plan. Of shared slots a key's plan counts all, and an objective's those of this location.
 */
export function planMonitoring({ definition, keys, now }: PlanFacts): MonitorPlan {
  const place = { location: definition.location, share: definition.slots };
  const plans = groupTargets(definition, keys).map((group) => planKey(group, definition, place, now));
  const probes = plans.flatMap((plan) => plan.probes);
  return {
    probes,
    keys: plans.map((plan) => plan.key),
    objectives: planObjectives(
      definition.objectives,
      probes,
      month,
      place.share,
      definition.alerting.failures,
    ),
  };
}

type Group = Omit<KeyFacts, 'name'> & { readonly name?: string };

function groupTargets({ probes, limits = {} }: Definition, keys: readonly KeyFacts[]): Group[] {
  const keyed = new Set(keys.flatMap((key) => key.targets));
  const targets = [...new Set(probes.map(({ target }) => target))];
  const keyless = targets.filter((target) => !keyed.has(target));
  const used = keys.filter((key) => key.targets.some((target) => targets.includes(target)));
  const apart = keyless.map((name) => {
    const limit = limits[name];
    return { shares: usualShares, targets: [name], limit };
  });
  return [...used, ...apart];
}

function planKey(
  group: Group,
  { probes, uncounted }: Definition,
  place: SlotPlace,
  now: number,
): { probes: PlannedProbe[]; key: KeyPlan } {
  const groupProbes = probes.filter(({ target }) => group.targets.includes(target));
  const { limit, known } = resolveLimit(group, uncounted);
  const budget = requestShare(limit, group.shares, 'monitor');
  const planned = planProbes(groupProbes, place, budget, now);
  const requests = sumRequests(planned);
  const lacking = Math.max(0, requests - budget);
  const over =
    lacking > 0 ? findOverspent(planned, (all) => planProbes(all, place, budget, now), budget) : undefined;
  const { name, account, shares, targets } = group;
  const perDay = requests / monthDays;
  const recheck = name === undefined ? undefined : planRecheck(planned, limit, shares, account, monthDays);
  return {
    probes: planned,
    key: {
      key: name,
      targets,
      limit,
      known,
      budget,
      requests,
      perDay,
      lacking,
      over,
      recheck,
      ...(account && known === 'answer' && { running: summarizeMonth(account, shares, now, perDay) }),
    },
  };
}

/** Cron expressions are counted as they fall, all others wherever their slots lie. */
function planProbes(probes: readonly Probe[], place: SlotPlace, budget: number, now: number): PlannedProbe[] {
  const cron = new Map(
    probes.flatMap((probe) => ('cron' in probe.rhythm ? [[probe, planCron(probe, place, now)]] : [])),
  );
  const spent = sumRequests([...cron.values()]);
  const open = probes.filter((probe) => !cron.has(probe));
  const jobs = planCadence(open.map(cadenceJob), budget - spent, month);
  const periods = new Map(jobs.map(({ id, period }) => [id, period]));
  return probes.map((probe) => {
    const period = periods.get(probeId(probe)) ?? month;
    const slots = Math.ceil(month / period);
    return cron.get(probe) ?? plannedProbe(probe, slotPlan(probe, place, period), period, slots);
  });
}

function cadenceJob(probe: Probe): CadenceJob {
  const { rhythm } = probe;
  const period = 'every' in rhythm && rhythm.every !== 'budget' ? { period: rhythm.every } : {};
  return { id: probeId(probe), cost: probeCost(probe), ...period };
}

/** Plans by the most expensive month of a year. */
function planCron(probe: Probe, place: SlotPlace, now: number): PlannedProbe {
  const whole = slotPlan(probe, { location: place.location });
  const counts = Array.from({ length: 12 }, (_, ahead) =>
    whole.count(monthBegin(now, ahead), monthBegin(now, ahead + 1)),
  );
  return plannedProbe(probe, slotPlan(probe, place), whole.period, Math.max(...counts));
}

function plannedProbe(probe: Probe, plan: SlotPlan, period: number, slots: number): PlannedProbe {
  return { probe, plan, period, slots, requests: slots * probeCost(probe) };
}

/** Finds the most expensive probe, which is the one to change. */
function findOverspent(
  planned: readonly PlannedProbe[],
  planAgain: (probes: readonly Probe[]) => PlannedProbe[],
  budget: number,
): Overspent | undefined {
  const [most] = planned.toSorted((a, b) => b.requests - a.requests);
  if (!most) return undefined;
  const { probe, requests } = most;
  const eased = planAgain(
    planned.map((plannedProbe) =>
      plannedProbe === most ? { ...probe, rhythm: { every: 'budget' } } : plannedProbe.probe,
    ),
  );
  const isEnough = sumRequests(eased) <= budget;
  const period = eased[planned.indexOf(most)]?.period;
  return { probe, requests, ...(isEnough && period !== undefined && { affordable: period }) };
}

function sumRequests(planned: readonly PlannedProbe[]): number {
  return planned.reduce((sum, probe) => sum + probe.requests, 0);
}
