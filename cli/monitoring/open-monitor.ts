import { join } from 'node:path';
import { machineClock } from '../../monitors/clock.ts';
import type { Definition } from '../../monitors/definition.ts';
import { planMonitoring } from '../../monitors/plan.ts';
import { openProber } from '../../monitors/prober.ts';
import { ServerClocks } from '../../monitors/server-clock.ts';
import { Station, type StationOptions } from '../../monitors/station.ts';
import type { Watch } from '../../monitors/watch.ts';
import type { MonitorPlan } from '../../reports/monitor/plan.ts';
import type { ResultsStore } from '../../results/results-store.ts';
import { openResults } from '../../results/sqlite/open.ts';
import { loadAcceptedSpec } from '../accepted-spec.ts';
import type { Config } from '../config/config.ts';
import type { MonitorSettings } from '../config/monitoring.ts';
import { refuseOverspent } from '../config/overspent.ts';
import { makeOutFolder, writeReports } from '../publish-run.ts';
import { lawOf } from '../run-flags.ts';
import type { RemoteTarget } from '../target-flags.ts';
import { UsageError } from '../usage-error.ts';
import { specFile, version } from '../version.ts';
import { methodOf } from './method.ts';
import { reach } from './watched-targets.ts';

export type MonitorJob = {
  readonly definition: Definition;
  readonly remotes: readonly RemoteTarget[];
  readonly settings: MonitorSettings;
  readonly config?: Config;
  readonly dataDir: string;
  readonly timeout: number;
  readonly rate?: number;
} & Pick<StationOptions, 'onSettled' | 'onTrouble'>;

export type OpenMonitor = {
  readonly station: Station;
  readonly watch: Watch;
  readonly method: MonitorPlan;
  close(): Promise<void>;
};

const day = 86_400_000;

/** Opens everything that a monitor needs, the store first: a second one on the same data is refused before it asks. */
export async function openMonitor(job: MonitorJob): Promise<OpenMonitor> {
  const { definition, remotes, dataDir, config, settings } = job;
  makeOutFolder(dataDir);
  const { raw, hours } = settings.keep;
  const store = await openResults(dataDir, { keepRawDays: raw / day, keepHoursDays: hours / day });
  try {
    const reached = reach(remotes, job);
    const plan = planMonitoring({ definition, keys: reached.keys(Date.now()), now: Date.now() });
    if (config) refuseOverspent(plan, config);
    const [short] = plan.keys.filter(({ lacking }) => lacking > 0);
    if (short)
      throw new UsageError(`monitor: the probes take ${short.lacking} requests more than the share allows`);
    const watch = await watchOf(job, store, reached.targets);
    const shares = Object.fromEntries(
      [...reached.targets.values()].flatMap(({ key }) => (key ? [[key.name, key.shares]] : [])),
    );
    const method = methodOf(definition, plan, shares);
    await store.record({ states: { [methodName]: JSON.parse(JSON.stringify(method)) } });
    const station = await Station.open({ ...job, watch, keys: reached.keys });
    const close = async (): Promise<void> => {
      watch.prober.close();
      await store.close();
      reached.close();
    };
    return { station, watch, method, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Under what name the store keeps how it was measured, for reports. */
export const methodName = 'method';

async function watchOf(
  { definition, config, dataDir }: MonitorJob,
  store: ResultsStore,
  targets: Watch['targets'],
): Promise<Watch> {
  const { control } = definition;
  return {
    definition,
    targets,
    spec: await loadAcceptedSpec(specFile),
    law: lawOf(config?.edition),
    version,
    store,
    clock: machineClock,
    prober: openProber({ clock: machineClock, ...(control !== undefined && { control }) }),
    serverClocks: new ServerClocks(),
    keepRun: (probe, slot, outcome) => {
      const instant = new Date(slot).toISOString().replaceAll(/[:.]/g, '-');
      return writeReports(outcome, join(dataDir, 'runs', `${probe.target}-${probe.name}-${instant}`));
    },
  };
}
