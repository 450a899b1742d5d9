import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import type { WithoutLedger } from '@candleproof/client/ledger/books';
import type { LedgerPlace } from '@candleproof/client/ledger/ledgers';
import { version } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder } from '@candleproof/files/write-files';
import type { Shares } from '@candleproof/law/planning/allowance';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import type { PostgresAddress } from '@candleproof/postgres/address';
import { toJson } from '../alerting/cause.ts';
import { DiskAlarm } from '../alerting/disk-alarm.ts';
import { RemarkBox } from '../alerting/remarks.ts';
import { AnnouncedWork } from '../plan/announced-work.ts';
import type { Definition } from '../plan/definition.ts';
import { type MonitorPlan, monthDays, planMonitoring } from '../plan/plan.ts';
import { machineClock } from '../probes/clock.ts';
import { openSelfCheck } from '../probes/self-check.ts';
import { ServerClocks } from '../probes/server-clock.ts';
import type { Watch } from '../probes/watch.ts';
import { day } from '../results/calendar.ts';
import { keepName, methodName, type PlannedPace } from '../results/known-states.ts';
import { type LocationOptions, openLocationResults } from '../results/location-store.ts';
import type { ResultsStore, Retention } from '../results/results-store.ts';
import { databaseFile } from '../results/sqlite/database.ts';
import { openResults } from '../results/sqlite/open.ts';
import { AlertingMonitor, type AlertingMonitorOptions } from '../slots/alerting-monitor.ts';
import { DataFolder } from '../slots/data-folder.ts';
import { type Patience, retryingStore } from '../slots/patient-store.ts';
import { keepDeepRuns, type WriteRun } from './deep-runs.ts';
import { type MonitoredTarget, type OpenedTargets, openTargets } from './watched-targets.ts';

/** Everything that a monitor has to know before it opens anything. */
export type MonitorJob = {
  readonly definition: Definition;
  readonly targets: readonly MonitoredTarget[];
  /** The rules that deep probes judge by. */
  readonly law: Catalogue;
  readonly ledger: LedgerPlace;
  /** Called when the ledger's database is lost and when it is back; the probes go on meanwhile. */
  readonly withoutLedger?: WithoutLedger;
  /** Keeps the runs of deep probes as long as raw slots. */
  readonly retention: Retention;
  readonly dataDir: string;
  /** The database that several locations share, in addition to the folder. */
  readonly results?: PostgresAddress;
  /** Called when that database is lost and when it has caught up. */
  readonly carrying?: Pick<LocationOptions, 'onCutOff' | 'onCaughtUp'>;
  /** Longest wait for an answer, in ms. */
  readonly timeout: number;
  /** Slots may go beyond what the keys' months leave, which may be billed. */
  readonly allowOverage?: boolean | undefined;
  /** Waits for room on a full disk; without it, a full disk ends the monitor. */
  readonly patience?: Omit<Patience, 'clock'>;
  /** Throws for a plan that takes more than the keys' shares, in the words of its configuration. */
  readonly refusePlan?: (plan: MonitorPlan) => void;
  /** Describes how it is measured, for reports. */
  readonly describe: (plan: MonitorPlan, shares: Readonly<Record<string, Shares>>) => object;
  /** Writes the files of a deep probe's run. */
  readonly writeRun: WriteRun;
} & Pick<AlertingMonitorOptions, 'onSettled' | 'onAlert' | 'onTrouble' | 'isUnplanned' | 'environment'>;

/** A monitor whose store, targets and plan are open. */
export type OpenMonitor = {
  readonly dataDir: string;
  readonly alertingMonitor: AlertingMonitor;
  readonly watch: Watch;
  readonly plan: MonitorPlan;
  /** The shares of each key's month, by the key's name. */
  readonly shares: Readonly<Record<string, Shares>>;
  /** Rejects if the store cannot be written at present. */
  tryStore(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens everything that a monitor needs, the store first: a second one on the same data is refused before it requests
 * anything.
 * @throws UsageError for a plan that its keys cannot pay
 */
export async function openMonitor(job: MonitorJob): Promise<OpenMonitor> {
  const { definition, targets, dataDir, results, retention } = job;
  makeOutputFolder(dataDir, '--data');
  const store = await openStore(job);
  const { patience } = job;
  const opened: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of opened.reverse()) await end();
    await store.close();
  };
  try {
    const reached = await openTargets(targets, job);
    opened.push(() => reached.close());
    const plan = await makePlan(job, reached);
    const disk = patience && new DiskAlarm(definition);
    const folder = new DataFolder(databaseFile(dataDir), machineClock);
    const measured = folder.measure(store);
    const kept = patience && disk ? retryingStore(measured, withAlarm(patience, disk)) : measured;
    const watch = await makeWatch(job, kept, reached.targets);
    const shares = Object.fromEntries(
      [...reached.targets.values()].flatMap(({ key }) => (key ? [[key.name, key.shares]] : [])),
    );
    await store.record({
      states: {
        [methodName]: toJson(job.describe(plan, shares)),
        // The pace of one location is not that of all.
        [keepName]: job.isUnplanned || results ? retention : { ...retention, pace: measurePace(plan) },
      },
    });
    const alertingMonitor = await AlertingMonitor.open({
      ...job,
      watch,
      plan,
      disk,
      remarks: new RemarkBox(dataDir),
      keys: reached.keys,
      ownConditions: (now) => folder.conditions(definition.location, now),
    });
    return { dataDir, alertingMonitor, watch, plan, shares, tryStore: () => folder.tryStore(store), close };
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
      disk.onFull(Date.now());
    },
    onRoom() {
      patience.onRoom();
      disk.onRoom(Date.now());
    },
  };
}

function openStore(job: MonitorJob): Promise<ResultsStore> {
  const { dataDir, results: address, definition, carrying, onTrouble, retention } = job;
  if (!address) return openResults(dataDir, retention);
  return openLocationResults({
    ...{ dataDir, retention, address, location: definition.location },
    sinks: definition.alerting.sinks.map(({ name }) => name),
    sharedStates: [methodName, keepName, 'musts ', 'pace '],
    ...{ onCutOff: () => undefined, onCaughtUp: () => undefined, ...carrying, onTrouble },
  });
}

/** Throws, as `openMonitor` does, for a job that cannot run; leaves nothing open. */
export async function refuseJob(job: Omit<MonitorJob, 'onTrouble'>): Promise<void> {
  const reached = await openTargets(job.targets, job);
  try {
    await makePlan(job, reached);
  } finally {
    await reached.close();
  }
}

/** Plans the job's use of the keys' months. Throws a UsageError if that exceeds a key. */
async function makePlan(
  { definition, refusePlan }: Pick<MonitorJob, 'definition' | 'refusePlan'>,
  reached: OpenedTargets,
): Promise<MonitorPlan> {
  const now = Date.now();
  const plan = planMonitoring({ definition, keys: await reached.keys(now), now });
  refusePlan?.(plan);
  const [short] = plan.keys.filter(({ lacking }) => lacking > 0);
  if (!short) return plan;
  throw new UsageError(
    `monitor: the usual probes take ${short.lacking} requests a month more than their share of ${short.budget}: name fewer pools, or write a candleproof.yaml with rarer ones`,
  );
}

async function makeWatch(
  { definition, law, dataDir, retention, writeRun, targets: [first] }: MonitorJob,
  store: ResultsStore,
  targets: Watch['targets'],
): Promise<Watch> {
  const { control } = definition;
  return {
    definition,
    targets,
    spec: await acceptSpec(first?.spec),
    law,
    version,
    store,
    clock: machineClock,
    selfCheck: openSelfCheck({ clock: machineClock, control }),
    serverClocks: new ServerClocks(),
    announced: await AnnouncedWork.read(store, Date.now()),
    keepRun: keepDeepRuns(dataDir, retention.keepRawDays * day, writeRun),
  };
}

/** Returns the slots and requests per day that the monitors of a store plan. */
function measurePace({ probes }: MonitorPlan): PlannedPace {
  const countPerDay = (count: 'slots' | 'requests'): number =>
    probes.reduce((sum, probe) => sum + probe[count], 0) / monthDays;
  return {
    series: probes.length,
    slotsPerDay: countPerDay('slots'),
    requestsPerDay: countPerDay('requests'),
  };
}
