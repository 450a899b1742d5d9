import { openBaseline } from '@candleproof/check/baseline/open-baseline';
import { requirePools } from '@candleproof/check/target/target';
import type { TargetDescription } from '@candleproof/check/target/target-description';
import { shownPath } from '@candleproof/files/shown-path';
import { UsageError } from '@candleproof/files/usage-error';
import type { Environment } from '@candleproof/files/user-folders';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { defaultDefinition, readDefinition, readSettings } from '@candleproof/monitors/config/definition';
import { describeMethod } from '@candleproof/monitors/page/plan-facts';
import type { Definition } from '@candleproof/monitors/plan/definition';
import type { MonitorJob } from '@candleproof/monitors/watching/open-monitor';
import type { MonitorSetup } from '@candleproof/monitors/watching/watch';
import { writeReports } from '../../library/write-run.ts';
import { addConfiguredBaseline } from '../baseline/baseline-flags.ts';
import { type Config, openConfig } from '../config/config.ts';
import { refuseOverspent } from '../config/overspent.ts';
import { readLedger } from '../database/read-ledger.ts';
import { type ResultsFlags, readResults } from '../database/read-results.ts';
import { defaultDataDir } from '../running/options.ts';
import { withServer } from '../target/document-server.ts';
import { type NamedTarget, type RemoteTarget, readTarget } from '../target/read-target.ts';

export type JobFlags = TargetDescription &
  ResultsFlags & { readonly timeout: number; readonly allowOverage?: boolean };

/**
 * Reads the job of a monitor: targets of the config, all of them if none is named, or the one that flags describe. Throws
 * a UsageError, also if nothing says what to watch: a wrong folder must not be green for ever.
 */
export function readJob(names: readonly string[], given: JobFlags, env: Environment): MonitorSetup | 'local' {
  const chosen = [...new Set(names)];
  const [name, ...others] = chosen;
  const flags = withServer(name, given);
  if (flags.baseUrl !== undefined || name === 'local' || others.includes('local')) {
    if (others.length > 0) throw new UsageError(`${chosen.join(' ')}: ${explainLockedLedger(flags)}`);
    return makeJob(readTarget(name, flags, env), flags, env);
  }
  const config = openConfig(flags.config);
  if (!config && name === undefined)
    throw new UsageError(
      'monitor: no candleproof.yaml in this folder or one above it: name one with --config, or watch --base-url URL; `monitor local` watches the embedded service',
    );
  if (!config) return makeJob(readTarget(name, flags, env), flags, env);
  const targets = name === undefined ? Object.keys(config.targets) : chosen;
  const remotes = targets
    .map((target) => readTarget(target, flags, env))
    .filter((namedTarget) => namedTarget.kind === 'remote');
  const definition = readDefinition(config, env, targets);
  const isWatched = (target: string): boolean => definition.probes.some((probe) => probe.target === target);
  const unwatched =
    chosen.find((name) => !isWatched(name)) ?? (targets.some(isWatched) ? undefined : targets[0]);
  if (unwatched !== undefined) {
    throw new UsageError(
      `--config: ${config.file}:${config.targetLine(unwatched)}: no probe watches "${unwatched}": add it to a probe's targets, or give it pools`,
    );
  }
  return makeSetup({ flags, env, config }, definition, remotes);
}

/** The usual monitors of a target that no config describes; of the embedded service nothing is shared. */
export function makeUsualJob(remote: RemoteTarget, flags: JobFlags, env: Environment): MonitorSetup {
  requirePools(remote, 'watch');
  const definition = defaultDefinition(remote.spec, remote.facts);
  return makeSetup({ flags, env }, definition, [remote]);
}

function makeJob(target: NamedTarget, flags: JobFlags, env: Environment): MonitorSetup | 'local' {
  return target.kind === 'local' ? 'local' : makeUsualJob(target, flags, env);
}

function explainLockedLedger({ baseUrl }: JobFlags): string {
  return baseUrl === undefined
    ? 'local is watched alone: name it, or the others'
    : '--base-url describes one target: give one name at most';
}

type Given = { readonly flags: JobFlags; readonly env: Environment; readonly config?: Config };

function makeSetup(
  { flags, env, config }: Given,
  definition: Definition,
  remotes: readonly RemoteTarget[],
): MonitorSetup {
  const { data: dataDir = defaultDataDir, timeout, allowOverage } = flags;
  const results = readResults(flags.results, env, config);
  const { listen, keep, environment } = readSettings(config, process.env);
  return {
    ...{ definition, dataDir, timeout, allowOverage },
    targets: remotes.map(readMonitored),
    law: catalogue,
    ledger: readLedger(remotes[0]?.configured?.ledger, process.env),
    retention: { keepRawDays: keep.raw / day, keepHoursDays: keep.hours / day },
    environment,
    describe: (plan, shares) => describeMethod(definition, plan, shares),
    writeRun: (outcome, folder) => shownPath(writeReports(outcome, folder)),
    listen,
    results,
    ...(config && { refusePlan: (plan) => refuseOverspent(plan, config) }),
  };
}

/** Adds the baseline that the config names for a target. */
function readMonitored(remote: RemoteTarget): MonitorJob['targets'][number] {
  const { configured, facts } = remote;
  const baseline = openBaseline(addConfiguredBaseline(configured, {}), facts);
  return { ...remote, ...(baseline && { baseline: baseline.known }) };
}

const day = 86_400_000;
