import { join } from 'node:path';
import { acceptSpec } from '../../conformance/check/accepted-spec.ts';
import { chooseEdition } from '../../conformance/judging/choose-law.ts';
import { makeOutputFolder } from '../../files/named-output.ts';
import { specFile, version } from '../../files/package-files.ts';
import { UsageError } from '../../files/usage-error.ts';
import { DiskAlarm } from '../../monitors/alerting/disk-alarm.ts';
import type { Definition } from '../../monitors/plan/definition.ts';
import { type MonitorPlan as Planned, planMonitoring } from '../../monitors/plan/plan.ts';
import { openSelfCheck } from '../../monitors/probes/self-check.ts';
import { ServerClocks } from '../../monitors/probes/server-clock.ts';
import { machineClock } from '../../monitors/slots/clock.ts';
import { type Patience, patientStore } from '../../monitors/slots/patient-store.ts';
import { SlotDivision } from '../../monitors/slots/slot-division.ts';
import { Station, type StationOptions } from '../../monitors/slots/station.ts';
import type { Watch } from '../../monitors/slots/watch.ts';
import type { PostgresAddress } from '../../postgres/address.ts';
import type { ReportedPlan } from '../../reports/monitor/plan.ts';
import {
  type LocationOptions,
  type LocationStore,
  openLocationResults,
} from '../../results/location-store.ts';
import type { ResultsStore, Retention } from '../../results/results-store.ts';
import { openResults } from '../../results/sqlite/open.ts';
import { alertEnvironment } from '../config/alert-environment.ts';
import type { Config } from '../config/config.ts';
import type { MonitorSettings } from '../config/monitoring.ts';
import { refuseOverspent } from '../config/overspent.ts';
import type { RemoteTarget } from '../target/target-flags.ts';
import { deepRunsIn } from './deep-runs.ts';
import { keepName, paceOf, retentionOf } from './kept.ts';
import { methodOf } from './method.ts';
import { type Reached, reach } from './watched-targets.ts';

export type MonitorJob = {
  readonly definition: Definition;
  readonly remotes: readonly RemoteTarget[];
  readonly settings: MonitorSettings;
  readonly config?: Config;
  readonly dataDir: string;
  /** The database that several locations share, beside the folder. */
  readonly results?: PostgresAddress;
  /** How it stands with that. */
  readonly carrying?: Pick<LocationOptions, 'onCutOff' | 'onCaughtUp'>;
  readonly timeout: number;
  /** What a full disk means; left out, it ends the monitor. */
  readonly patience?: Omit<Patience, 'clock'>;
} & Pick<StationOptions, 'onSettled' | 'onTrouble' | 'isUnplanned'>;

export type OpenMonitor = {
  readonly station: Station;
  readonly watch: Watch;
  readonly method: ReportedPlan;
  /** Rejects where the store takes nothing just now. */
  tryStore(): Promise<void>;
  close(): Promise<void>;
};

/** Opens everything that a monitor needs, the store first: a second one on the same data is refused before it asks. */
export async function openMonitor(job: MonitorJob): Promise<OpenMonitor> {
  const { definition, remotes, dataDir, results, settings, config } = job;
  makeOutputFolder(dataDir, '--data');
  const retention = retentionOf(settings);
  const store = await openStore(job, retention);
  const { patience } = job;
  const opened: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of opened.reverse()) await end();
    await store.close();
  };
  try {
    const blockFile = job.isUnplanned ? undefined : join(dataDir, 'ledger-blocks.json');
    const reached = await reach(remotes, { ...job, blockFile });
    opened.push(() => reached.close());
    const division = await divisionOf(job, store);
    const plan = await planOf(job, reached, division);
    const disk = patience && new DiskAlarm(definition);
    const kept = patience && disk ? patientStore(store, withAlarm(patience, disk)) : store;
    const watch = await watchOf(job, kept, reached.targets);
    const shares = Object.fromEntries(
      [...reached.targets.values()].flatMap(({ key }) => (key ? [[key.name, key.shares]] : [])),
    );
    const method = methodOf(definition, plan, shares);
    await store.record({
      states: {
        [methodName]: JSON.parse(JSON.stringify(method)),
        // Of several locations the pace of one is not that of all.
        [keepName]: job.isUnplanned || results ? retention : { ...retention, pace: paceOf(plan) },
      },
    });
    const environment = alertEnvironment(process.env, config);
    const station = await Station.open({
      ...job,
      watch,
      environment,
      plan,
      division,
      disk,
      keys: reached.keys,
    });
    const tryStore = (): Promise<void> => store.record({ states: { health: Date.now() } });
    return { station, watch, method, tryStore, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function withAlarm(patience: Omit<Patience, 'clock'>, disk: DiskAlarm): Patience {
  return {
    clock: machineClock,
    signal: patience.signal,
    onFull(error) {
      patience.onFull(error);
      disk.full(Date.now());
    },
    onRoom() {
      patience.onRoom();
      disk.room(Date.now());
    },
  };
}

function openStore(job: MonitorJob, retention: Retention): Promise<ResultsStore | LocationStore> {
  const { dataDir, results: address, definition, carrying, onTrouble } = job;
  if (!address) return openResults(dataDir, retention);
  return openLocationResults({
    ...{ dataDir, retention, address, location: definition.location },
    sinks: definition.alerting.sinks.map(({ name }) => name),
    sharedStates: [methodName, keepName, 'musts ', 'pace '],
    sharesSlots: isDivided(job),
    ...{ onCutOff: () => undefined, onCaughtUp: () => undefined, ...carrying, onTrouble },
  });
}

/** Probes that are run once, by hand, take nobody's slots. */
function isDivided({ definition, isUnplanned = false }: MonitorJob): boolean {
  return definition.slots === 'shared' && !isUnplanned;
}

async function divisionOf(job: MonitorJob, store: ResultsStore | LocationStore) {
  if (!isDivided(job) || !('sharers' in store)) return undefined;
  return SlotDivision.open({ store, location: job.definition.location, sharers: store.sharers });
}

/** Throws, as `openMonitor` does, for a job that cannot be done; opens nothing that stays open. */
export async function refuseJob(job: Omit<MonitorJob, 'onTrouble'>): Promise<void> {
  const reached = await reach(job.remotes, job);
  try {
    await planOf(job, reached);
  } finally {
    await reached.close();
  }
}

/** What the job takes of the keys' months. Throws a UsageError where that is too much. */
async function planOf(
  { definition, config }: Pick<MonitorJob, 'definition' | 'config'>,
  reached: Reached,
  division?: SlotDivision,
): Promise<Planned> {
  const now = Date.now();
  const facts = { definition, keys: await reached.keys(now), now };
  const plan = division?.resumed(facts) ?? planMonitoring(facts);
  if (config) refuseOverspent(plan, config);
  const [short] = plan.keys.filter(({ lacking }) => lacking > 0);
  if (!short) return plan;
  throw new UsageError(
    `monitor: the usual probes take ${short.lacking} requests a month more than their share of ${short.budget}: name fewer pools, or write a candleproof.yaml with rarer ones`,
  );
}

/** Under what name the store keeps how it was measured, for reports. */
export const methodName = 'method';

async function watchOf(
  { definition, config, dataDir, settings, remotes: [first] }: MonitorJob,
  store: ResultsStore,
  targets: Watch['targets'],
): Promise<Watch> {
  const { control } = definition;
  return {
    definition,
    targets,
    spec: await acceptSpec(first?.spec.file ?? specFile),
    law: chooseEdition(config?.edition),
    version,
    store,
    clock: machineClock,
    selfCheck: openSelfCheck({ clock: machineClock, ...(control !== undefined && { control }) }),
    serverClocks: new ServerClocks(),
    keepRun: deepRunsIn(dataDir, settings.keep.raw),
  };
}
