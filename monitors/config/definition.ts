import { readSpec } from '@candleproof/check/target/accepted-spec';
import type { Spec } from '@candleproof/document/spec/spec';
import { readDuration } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import type { Environment } from '@candleproof/files/user-folders';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import {
  type Definition,
  listParents,
  type Objective,
  type SlotShare,
  usualLocation,
} from '../plan/definition.ts';
import { monthDays } from '../plan/plan.ts';
import { indicators } from '../results/probe-record.ts';
import type { MonitoringForm, PlacedForm, WatchedForm } from './monitoring-form.ts';
import { makeProbes, unknownTargetMessage } from './probes.ts';
import { readAlerting, readReminders } from './sinks.ts';
import { defaultProbes, usualKeep, usualSlos } from './usual-monitoring.ts';

/**
 * Reads the monitors of a config, at all its targets or those named. Secrets are read only if an environment is
 * given: without it there are no sinks. Throws a UsageError for a missing target or secret.
 */
export function readDefinition(
  config: PlacedForm,
  env: Environment | undefined,
  targets: readonly string[] = Object.keys(config.targets),
): Definition {
  const spec = readSpec(config.document);
  const { monitor = {}, probes = defaultProbes(spec), slos, maintenance = [] } = config.monitoring;
  const { location = usualLocation, slots, control } = monitor;
  const topology = readTopology(config, targets);
  return {
    location,
    ...(slots !== undefined && { slots: readSlotShare(config, slots) }),
    control,
    probes: targets.flatMap((target) => makeProbes(spec, target, findTarget(config, target).pools, probes)),
    objectives: readObjectives(slos),
    maintenance: maintenance.flatMap(({ target, ...window }) =>
      // Work at a target is work at all that hangs on it.
      targets
        .filter((name) => name === target || listParents(name, topology).includes(target))
        .map((name) => ({ target: name, window })),
    ),
    limits: readLimits(config, targets),
    ...findUncounted(spec),
    ...topology,
    alerting: readAlerting(config, env),
  };
}

/** Returns the target of a name. Throws a UsageError that lists those there are. */
function findTarget({ targets }: PlacedForm, name: string): WatchedForm {
  const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (target) return target;
  throw new UsageError(unknownTargetMessage(name, targets));
}

/** Reads a location's share of a grid, such as `2 of 3`. */
function readSlotShare(config: PlacedForm, text: string): SlotShare {
  const [place = 0, of = 0] = text.split(' of ').map(Number);
  if (place <= of) return { index: place - 1, of };
  throw new UsageError(
    `--config: ${config.file}:${config.pathLine(['monitor', 'slots'])}: slots: ${text}: there is no share ${place} among ${of}: give 1 to ${of}`,
  );
}

/** Reads what says which failures have one cause, and where it is written what to do. */
function readTopology(
  config: PlacedForm,
  targets: readonly string[],
): Pick<Definition, 'groups' | 'parents' | 'runbooks'> {
  const readField = (field: 'group' | 'dependsOn' | 'runbook'): Record<string, string> =>
    Object.fromEntries(
      targets.flatMap((target) => {
        const text = findTarget(config, target)[field];
        return text === undefined ? [] : [[target, text] as const];
      }),
    );
  const fields = {
    groups: readField('group'),
    parents: readField('dependsOn'),
    runbooks: readField('runbook'),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, names]) => Object.keys(names).length > 0));
}

function readLimits(config: PlacedForm, targets: readonly string[]): Record<string, number> {
  const limits = targets.flatMap((target) => {
    const { limit } = findTarget(config, target);
    return limit === undefined
      ? []
      : [[target, limit === 'none' ? Number.POSITIVE_INFINITY : limit] as const];
  });
  return Object.fromEntries(limits);
}

function findUncounted({ roles, ratePerMinute }: Spec): Pick<Definition, 'uncounted'> {
  if (roles.includes('quota-limit')) return {};
  return {
    uncounted: ratePerMinute === undefined ? Number.POSITIVE_INFINITY : ratePerMinute * 1440 * monthDays,
  };
}

/** The usual monitors of a target that only flags describe. */
export function defaultDefinition(spec: Spec, { name, pools }: TargetFacts): Definition {
  return {
    location: usualLocation,
    probes: makeProbes(spec, name, pools, defaultProbes(spec)),
    objectives: readObjectives(undefined),
    maintenance: [],
    ...findUncounted(spec),
    alerting: { sinks: [], reminder: readReminders() },
  };
}

/** The settings of a monitor beside its definition; times in ms. */
export type MonitorSettings = {
  /** host:port of its metrics. */
  readonly listen?: string;
  /** Retention of every request, and of the hours' sums. */
  readonly keep: { readonly raw: number; readonly hours: number };
  /** The variables that alert commands inherit: none that the config refers to, be it a key, an address or a secret. */
  readonly environment: Environment;
};

/** Reads the settings of a monitor, the usual ones without a config. */
export function readSettings(config: PlacedForm | undefined, env: Environment): MonitorSettings {
  const { listen, keep } = config?.monitoring.monitor ?? {};
  return {
    listen,
    keep: {
      raw: readDuration(keep?.raw ?? usualKeep.raw),
      hours: readDuration(keep?.hours ?? usualKeep.hours),
    },
    environment: withoutVariables(env, config?.variables ?? new Set()),
  };
}

/** Names are compared without case, as some systems do. */
function withoutVariables(env: Environment, variables: ReadonlySet<string>): Environment {
  const withheld = new Set([...variables].map((variable) => variable.toUpperCase()));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name.toUpperCase())));
}

function readObjectives(slos: MonitoringForm['slos'] = usualSlos): Objective[] {
  return indicators.flatMap((indicator) => {
    const slo = slos[indicator];
    if (!slo) return [];
    // 99.9 / 100 adds digits that no report wants to show.
    const objective = Number((slo.objective / 100).toPrecision(12));
    return [{ indicator, objective, ...(slo.under !== undefined && { under: readDuration(slo.under) }) }];
  });
}
