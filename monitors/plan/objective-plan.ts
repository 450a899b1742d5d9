import { probesToProve, provenObjective } from '@candleproof/law/planning/confidence';
import { failuresToFire, type Trigger, usualSlo } from '../alerting/burn-rate.ts';
import type { Indicator } from '../results/probe-record.ts';
import type { Objective, Probe, SlotShare } from './definition.ts';

/** The statements that a month of one target allows about an objective. */
export type ObjectivePlan = {
  readonly target: string;
  readonly indicator: Indicator;
  /** Fractions: the objective, and the highest that a month without a bad slot proves. */
  readonly objective: number;
  readonly provable: number;
  /** Slots of a month that say something, and those without a bad one that the objective's proof takes. */
  readonly slots: number;
  readonly needed: number;
  /** Mean ms between two of these slots; absent without slots. */
  readonly cadence?: number;
  /** The fewest bad slots in a row that fire each pair of windows; empty without slots. */
  readonly triggers: readonly Trigger[];
  /** Ms of total failure after which an alert certainly fires; absent if it never fires. */
  readonly outage?: number;
  /** The same if one probe alone fails, such as one operation, interval or pool of it, by the probe's name. */
  readonly alone: readonly { readonly probe: string; readonly outage?: number }[];
  /** The longest ms between two slots at which an alert sees a short outage. */
  readonly cadenceForShort: number;
};

/**
 * Returns whether a probe measures an indicator. Deep probes pace themselves, so they measure no latency; every light
 * probe of candles measures freshness.
 */
function measures(probe: Probe, indicator: Indicator): boolean {
  if (indicator === 'availability' || indicator === 'correctness') return true;
  if (probe.kind !== 'light') return false;
  return indicator === 'latency' || probe.role !== 'tokens';
}

/** Plans every objective at every target; `span` is the time (ms) of the probes' `slots`, which may be shared. */
export function planObjectives(
  objectives: readonly Objective[],
  probes: readonly { readonly probe: Probe; readonly slots: number }[],
  span: number,
  share?: SlotShare,
  inRow = Number.POSITIVE_INFINITY,
): ObjectivePlan[] {
  const targets = [...new Set(probes.map(({ probe }) => probe.target))];
  return targets.flatMap((target) => {
    const targetProbes = probes
      .filter(({ probe }) => probe.target === target)
      .map(({ probe, slots }) => ({ probe, slots: shareSlots(slots, share) }));
    return objectives.map((objective) => planObjective(objective, target, targetProbes, span, inRow));
  });
}

function shareSlots(slots: number, share: SlotShare | undefined): number {
  return share ? Math.ceil(slots / share.of) : slots;
}

/** An outage (ms) that many want to see. */
export const shortOutage = 5 * 60_000;

function shortestOutage(cadence: number, objective: number): number | undefined {
  const failures = failuresToFire(cadence, { ...usualSlo, objective }).flatMap(
    (trigger) => trigger.failures ?? [],
  );
  return failures.length > 0 ? Math.min(...failures) * cadence : undefined;
}

/**
 * Returns the ms of an outage of one probe after which an alert fires, while the target's others are good: its slots
 * burn the budget of all. @param inRow failures in a row that are an alert by themselves
 */
function outageAlone(period: number, cadence: number, objective: number, inRow: number): number | undefined {
  const burning = failuresToFire(cadence, { ...usualSlo, objective }).flatMap(({ pair, failures }) => {
    const { factor = 0, long = 0 } = usualSlo.pairs.find(({ name }) => name === pair) ?? {};
    const isEnough = cadence / period >= factor * (1 - objective) * (1 - rounding);
    return failures !== undefined && isEnough && failures * period <= long ? [failures * period] : [];
  });
  const shortest = Math.min(...burning, inRow * period);
  return Number.isFinite(shortest) ? shortest : undefined;
}

/** 1 − 0.999 is not exactly a thousandth. */
const rounding = 1e-9;

/** Returns the longest whole seconds, in ms, at which an alert sees a short outage. */
function longestCadence(objective: number): number {
  for (let cadence = shortOutage; cadence > 1000; cadence -= 1000)
    if ((shortestOutage(cadence, objective) ?? Number.POSITIVE_INFINITY) <= shortOutage) return cadence;
  return 1000;
}

function planObjective(
  { indicator, objective }: Objective,
  target: string,
  probes: readonly { readonly probe: Probe; readonly slots: number }[],
  span: number,
  inRow: number,
): ObjectivePlan {
  const slots = probes.reduce(
    (sum, planned) => sum + (measures(planned.probe, indicator) ? planned.slots : 0),
    0,
  );
  const cadence = slots > 0 ? span / slots : undefined;
  const measuring = probes.filter((planned) => measures(planned.probe, indicator) && planned.slots > 0);
  const alone = measuring.map(({ probe, slots: own }) => {
    const alerted = outageAlone(span / own, cadence ?? span, objective, inRow);
    return { probe: probe.name, ...(alerted !== undefined && { outage: alerted }) };
  });
  // Together no slot of one probe comes later than alone.
  const soonest = Math.min(...alone.map(({ outage: one = Number.POSITIVE_INFINITY }) => one));
  const burnt = cadence === undefined ? undefined : shortestOutage(cadence, objective);
  const shortest = Math.min(burnt ?? Number.POSITIVE_INFINITY, soonest);
  const outage = Number.isFinite(shortest) ? shortest : undefined;
  return {
    target,
    indicator,
    objective,
    provable: provenObjective(slots, slots),
    slots,
    needed: probesToProve(objective),
    cadence,
    outage,
    alone,
    cadenceForShort: longestCadence(objective),
    triggers: cadence === undefined ? [] : failuresToFire(cadence, { ...usualSlo, objective }),
  };
}
