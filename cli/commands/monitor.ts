import { once } from 'node:events';
import type { Command } from 'commander';
import { pino } from 'pino';
import { everySecond } from '../../monitors/schedule.ts';
import type { SlotRecord } from '../../results/probe-record.ts';
import { openConfig } from '../config/config.ts';
import { defaultDefinition, definitionOf, settingsOf } from '../config/monitoring.ts';
import { openLocal } from '../local-service.ts';
import { type MonitorJob, openMonitor } from '../monitoring/open-monitor.ts';
import { exitCodeOfSlots, slotInWords } from '../monitoring/slot-words.ts';
import { Window } from '../monitoring/window.ts';
import { wholeAbove } from '../run-flags.ts';
import {
  addTargetFlags,
  type RemoteTarget,
  readTarget,
  requirePools,
  type TargetFlags,
} from '../target-flags.ts';

type MonitorFlags = TargetFlags & {
  readonly data: string;
  readonly once?: boolean;
  readonly timeout: number;
  readonly rate?: number;
};

export const defaultDataDir = '.candleproof';

/** Longest wait in ms for probes that are under way when the monitor is told to stop. */
const graceMs = 10_000;

export function registerMonitor(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('monitor [targets...]')
    .description('scheduled probes into the results store, within the monthly quota');
  addTargetFlags(command)
    .option('--data <dir>', 'folder of the results store', defaultDataDir)
    .option('--once', 'run every probe once, and exit as check does')
    .option(
      '--timeout <ms>',
      'longest wait for an answer',
      (text) => wholeAbove(0, text, '--timeout'),
      10_000,
    )
    .action(async (names: readonly string[], flags: MonitorFlags) => {
      if (names.length !== 1 || names[0] !== 'local') return exit(await monitor(jobOf(names, flags), flags));
      const local = await openLocal({ faults: [] });
      try {
        exit(await monitor(jobAt([local.target], flags), flags));
      } finally {
        await local.close();
      }
    });
}

type Job = Omit<MonitorJob, 'onSettled' | 'onTrouble'>;

/** What is to be watched: the targets of the config or some of them, or the one that flags describe. */
function jobOf(names: readonly string[], flags: MonitorFlags): Job {
  const config = flags.baseUrl === undefined ? openConfig(flags.config) : undefined;
  if (!config || names.includes('local')) {
    const [name, ...others] = names;
    const targets = [name, ...others].map((each) => readTarget(each, flags, process.env));
    return jobAt(
      targets.filter((each) => each.kind === 'remote'),
      flags,
    );
  }
  const targets = names.length > 0 ? names : Object.keys(config.targets);
  const remotes = targets
    .map((each) => readTarget(each, flags, process.env))
    .filter((each) => each.kind === 'remote');
  return {
    ...placeOf(flags),
    definition: definitionOf(config, process.env, targets),
    remotes,
    settings: settingsOf(config),
    config,
  };
}

function jobAt(remotes: readonly RemoteTarget[], flags: MonitorFlags): Job {
  for (const each of remotes) requirePools(each, 'check');
  const [first] = remotes.map(({ facts }) => defaultDefinition(facts));
  if (!first) throw new RangeError('a monitor needs a target');
  const probes = remotes.flatMap(({ facts }) => defaultDefinition(facts).probes);
  return { ...placeOf(flags), definition: { ...first, probes }, remotes, settings: settingsOf(undefined) };
}

function placeOf({ data: dataDir, timeout, rate }: MonitorFlags) {
  return { dataDir, timeout, ...(rate !== undefined && { rate }) };
}

async function monitor(job: Job, flags: MonitorFlags): Promise<number> {
  return flags.once ? monitorOnce(job) : watchUntilStopped(job);
}

async function monitorOnce(job: Job): Promise<number> {
  const { station, close } = await openMonitor({
    ...job,
    onSettled: ({ slots }) => process.stdout.write(slots.map((each) => `${slotInWords(each)}\n`).join('')),
    onTrouble: raise,
  });
  try {
    const slots = await station.runOnce();
    await station.stop(0);
    return exitCodeOfSlots(slots);
  } finally {
    await close();
  }
}

async function watchUntilStopped(job: Job): Promise<number> {
  const logger = pino(
    { name: 'candleproof', level: process.env.LOG_LEVEL ?? 'info' },
    pino.destination({ dest: 2, sync: true }),
  );
  const trouble = Promise.withResolvers<never>();
  const { listen } = job.settings;
  const window = listen === undefined ? undefined : new Window(listen);
  const { station, watch, method, close } = await openMonitor({
    ...job,
    onSettled: (settled) => {
      window?.take(settled);
      for (const slot of settled.slots) logSlot(logger, slot);
    },
    onTrouble: trouble.reject,
  });
  const end = new AbortController();
  const { signal } = end;
  try {
    const url = await window?.open(station, watch, method);
    logger.info(
      {
        data: job.dataDir,
        ...(url !== undefined && { url }),
        probes: station.monitor.plan.probes.length,
        next: new Date(station.monitor.next).toISOString(),
      },
      'watching',
    );
    const stop = everySecond(() => station.tick().catch(trouble.reject));
    await Promise.race([
      once(process, 'SIGINT', { signal }),
      once(process, 'SIGTERM', { signal }),
      trouble.promise,
    ]);
    logger.info('stopping');
    await Promise.race([station.stop(graceMs), trouble.promise]);
    await stop();
    return 0;
  } finally {
    end.abort();
    await window?.close();
    await close();
  }
}

function raise(error: unknown): never {
  throw error;
}

function logSlot(logger: pino.Logger, slot: SlotRecord): void {
  const { outcome, state, series, scheduledAt, startedAt, finishedAt, failure, reason } = slot;
  const { target, probe } = series;
  const facts = {
    target,
    probe,
    slot: new Date(scheduledAt).toISOString(),
    ...(startedAt !== undefined && finishedAt !== undefined && { tookMs: finishedAt - startedAt }),
    ...(failure && { failure }),
    ...(reason !== undefined && { reason }),
  };
  const isWell = outcome === 'ok' || outcome === 'excluded';
  logger[isWell ? 'debug' : 'warn'](facts, outcome ?? state);
}
