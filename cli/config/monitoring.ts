import { readSpec } from '../../conformance/check/accepted-spec.ts';
import { operationById } from '../../contract/document/operation.ts';
import type { Spec } from '../../contract/document/spec.ts';
import type { TargetFacts } from '../../contract/reading/exchange.ts';
import type { Definition, Objective, Probe, ProbeRhythm } from '../../monitors/plan/definition.ts';
import { usualLocation } from '../../monitors/plan/definition.ts';
import type { KeyFacts } from '../../monitors/plan/plan.ts';
import type { MonthAccount } from '../../planning/allowance.ts';
import { indicators } from '../../results/probe-record.ts';
import { type Config, type ConfiguredTarget, configuredTarget } from './config.ts';
import { durationOf } from './duration.ts';
import type { ConfiguredProbe, MonitoringForm } from './monitoring-form.ts';
import { alertingOf } from './sinks.ts';
import { usualInterval, usualKeep, usualProbes, usualReminder, usualSlos } from './usual-monitoring.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a config has watched, at all its targets or those named. Secrets are read only where an environment is given:
 * without it there are no sinks. Throws a UsageError for a target or a secret that is not there.
 */
export function definitionOf(
  config: Config,
  env: Environment | undefined,
  targets: readonly string[] = Object.keys(config.targets),
): Definition {
  const spec = readSpec(config.specFile);
  const { monitor = {}, probes = usualProbes(spec), slos, maintenance = [] } = config.monitoring;
  const { location = usualLocation, slots, control } = monitor;
  return {
    location,
    ...(slots === 'shared' && { slots }),
    ...(control !== undefined && { control }),
    probes: targets.flatMap((target) =>
      probesAt(spec, target, configuredTarget(config, target).pools, probes),
    ),
    objectives: objectivesOf(slos),
    maintenance: maintenance.flatMap(({ target, ...window }) =>
      targets.includes(target) ? [{ target, window }] : [],
    ),
    limits: limitsOf(config, targets),
    alerting: alertingOf(config, env),
  };
}

function limitsOf(config: Config, targets: readonly string[]): Record<string, number> {
  const limits = targets.flatMap((target) => {
    const { limit } = configuredTarget(config, target);
    return limit === undefined
      ? []
      : [[target, limit === 'none' ? Number.POSITIVE_INFINITY : limit] as const];
  });
  return Object.fromEntries(limits);
}

/** The usual monitors of a target that only flags describe. */
export function defaultDefinition(spec: Spec, { name, pools }: TargetFacts): Definition {
  return {
    location: usualLocation,
    probes: probesAt(spec, name, pools, usualProbes(spec)),
    objectives: objectivesOf(undefined),
    maintenance: [],
    alerting: { sinks: [], reminder: durationOf(usualReminder) },
  };
}

/** What the monitor needs beside its definition; times in ms. */
export type MonitorSettings = {
  /** host:port of its metrics. */
  readonly listen?: string;
  /** Of every request, and of the hours' sums. */
  readonly keep: { readonly raw: number; readonly hours: number };
};

export function settingsOf(config: Config | undefined): MonitorSettings {
  const { listen, keep } = config?.monitoring.monitor ?? {};
  return {
    ...(listen !== undefined && { listen }),
    keep: {
      raw: durationOf(keep?.raw ?? usualKeep.raw),
      hours: durationOf(keep?.hours ?? usualKeep.hours),
    },
  };
}

/** The keys of a config with their targets; `lastAccount` knows a key's month by its name, where an answer reported it. */
export async function keyFactsOf(
  config: Config,
  lastAccount: (key: string) => Promise<MonthAccount | undefined>,
): Promise<readonly KeyFacts[]> {
  const accounts = new Map<string, MonthAccount | undefined>();
  for (const name of Object.keys(config.keys)) accounts.set(name, await lastAccount(name));
  return Object.entries(config.keys).map(([name, { limit, shares }]) => {
    const account = accounts.get(name);
    const targets = Object.entries(config.targets).flatMap(([target, { key }]) =>
      key === name ? [target] : [],
    );
    return {
      name,
      ...(limit !== undefined && { limit }),
      ...(account && { account }),
      shares,
      targets,
    };
  });
}

function probesAt(
  spec: Spec,
  target: string,
  pools: ConfiguredTarget['pools'],
  probes: Readonly<Record<string, ConfiguredProbe>>,
): Probe[] {
  return Object.entries(probes).flatMap(([name, probe]): Probe[] => {
    if (probe.targets && !probe.targets.includes(target)) return [];
    const scheduled = { name, target, rhythm: rhythmOf(probe) };
    const { operation, deep, interval } = probe;
    if (operation === undefined) return [{ kind: 'deep', ...scheduled, budget: deep ?? 0 }];
    const asking = operationById(spec, operation);
    if (asking.role === 'tokens')
      return [{ kind: 'light', ...scheduled, operation, role: asking.role, pools: [] }];
    const requested = probe.pools ?? pools[asking.space] ?? [];
    if (requested.length === 0) return [];
    const candles = {
      operation,
      role: asking.role,
      pools: requested,
      interval: interval ?? usualInterval(spec, asking),
    };
    return [{ kind: 'light', ...scheduled, ...candles }];
  });
}

function rhythmOf({ every = '', schedule }: ConfiguredProbe): ProbeRhythm {
  if (schedule !== undefined) return { cron: schedule };
  return { every: every === 'budget' ? every : durationOf(every) };
}

function objectivesOf(slos: MonitoringForm['slos'] = usualSlos): Objective[] {
  return indicators.flatMap((indicator) => {
    const slo = slos[indicator];
    if (!slo) return [];
    // 99.9 / 100 has digits of its own that no report wants to show.
    const objective = Number((slo.objective / 100).toPrecision(12));
    return [{ indicator, objective, ...(slo.under !== undefined && { under: durationOf(slo.under) }) }];
  });
}
