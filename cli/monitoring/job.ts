import { requirePools } from '../../conformance/check/target.ts';
import type { TargetDescription } from '../../conformance/check/target-words.ts';
import { UsageError } from '../../files/usage-error.ts';
import { type Config, openConfig } from '../config/config.ts';
import { defaultDefinition, definitionOf, settingsOf } from '../config/monitoring.ts';
import { defaultDataDir, type ResultsFlags, readResults } from '../database/read-results.ts';
import { type NamedTarget, type RemoteTarget, readTarget } from '../target/target-flags.ts';
import type { MonitorJob } from './open-monitor.ts';

export type JobFlags = TargetDescription & ResultsFlags & { readonly timeout: number };

export type MonitorSetup = Omit<MonitorJob, 'onSettled' | 'onTrouble'>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What is to be watched: targets of the config, all of them where none is named, or the one that flags describe; `local`
 * where nothing is said, as `check` has it. Throws a UsageError.
 */
export function jobOf(names: readonly string[], flags: JobFlags, env: Environment): MonitorSetup | 'local' {
  const chosen = [...new Set(names)];
  const [name, ...others] = chosen;
  if (flags.baseUrl !== undefined || name === 'local' || others.includes('local')) {
    if (others.length > 0) throw new UsageError(`${chosen.join(' ')}: ${aloneMend(flags)}`);
    return jobAt(readTarget(name, flags, env), flags, env);
  }
  const config = openConfig(flags.config);
  if (!config) return jobAt(readTarget(name, flags, env), flags, env);
  const targets = name === undefined ? Object.keys(config.targets) : chosen;
  const remotes = targets
    .map((each) => readTarget(each, flags, env))
    .filter((each) => each.kind === 'remote');
  const definition = definitionOf(config, env, targets);
  const isWatched = (target: string): boolean => definition.probes.some((each) => each.target === target);
  const unwatched =
    chosen.find((each) => !isWatched(each)) ?? (targets.some(isWatched) ? undefined : targets[0]);
  if (unwatched !== undefined) {
    throw new UsageError(
      `--config: ${config.file}:${config.lineOf(unwatched)}: no probe watches "${unwatched}": add it to a probe's targets, or give it pools`,
    );
  }
  const place = placeOf(flags, env, config);
  if (definition.slots === 'shared' && !place.results) {
    throw new UsageError(
      `--config: ${config.file}:${config.lineAt(['monitor', 'slots'])}: slots are shared through a database of results: name one as results, with --results or CANDLEPROOF_RESULTS_URL, or let monitor.slots be own`,
    );
  }
  return { ...place, definition, remotes, settings: settingsOf(config), config };
}

/** The usual monitors of a target that no config describes; of the embedded service nothing is shared. */
export function jobForOne(remote: RemoteTarget, flags: JobFlags, env: Environment = {}): MonitorSetup {
  requirePools(remote, 'watch');
  const definition = defaultDefinition(remote.spec, remote.facts);
  return { ...placeOf(flags, env), definition, remotes: [remote], settings: settingsOf(undefined) };
}

function jobAt(target: NamedTarget, flags: JobFlags, env: Environment): MonitorSetup | 'local' {
  return target.kind === 'local' ? 'local' : jobForOne(target, flags, env);
}

function aloneMend({ baseUrl }: JobFlags): string {
  return baseUrl === undefined
    ? 'local is watched alone: name it, or the others'
    : '--base-url describes one target: give one name at most';
}

function placeOf(
  { data: dataDir = defaultDataDir, results, timeout }: JobFlags,
  env: Environment,
  config?: Config,
) {
  const address = readResults(results, env, config);
  return { dataDir, timeout, ...(address && { results: address }) };
}
