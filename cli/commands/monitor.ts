import type { Command } from 'commander';
import { everySecond } from '../../monitors/schedule.ts';
import { openLocal } from '../local-service.ts';
import { type Job, type JobFlags, jobForOne, jobOf } from '../monitoring/job.ts';
import { MonitorLog } from '../monitoring/monitor-log.ts';
import { openMonitor } from '../monitoring/open-monitor.ts';
import { exitCodeOfSlots, slotInWords } from '../monitoring/slot-words.ts';
import { Window } from '../monitoring/window.ts';
import { wholeAbove } from '../run-flags.ts';
import { addTargetFlags } from '../target-flags.ts';

type MonitorFlags = JobFlags & { readonly once?: boolean };

export const defaultDataDir = '.candleproof';

/** Longest wait in ms for probes that are under way when the monitor is told to stop. */
const graceMs = 10_000;

export function registerMonitor(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('monitor [targets...]')
    .description('scheduled probes into the results store, within the monthly quota; see docs/monitoring.md');
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
      const job = jobOf(names, flags, process.env);
      if (job !== 'local') return exit(await monitor(job, flags));
      const local = await openLocal({ faults: [], drains: true });
      try {
        exit(await monitor(jobForOne(local.target, flags), flags));
      } finally {
        await local.close();
      }
    });
}

function monitor(job: Job, flags: MonitorFlags): Promise<number> {
  return flags.once ? monitorOnce(job) : watchUntilStopped(job);
}

async function monitorOnce(job: Job): Promise<number> {
  let isAsking = false;
  const { station, close } = await openMonitor({
    ...job,
    onSettled: ({ slots }) => {
      // What an earlier monitor left unfinished is told in the report, not here.
      if (isAsking) process.stdout.write(slots.map((each) => `${slotInWords(each)}\n`).join(''));
    },
    onTrouble: raise,
    isUnplanned: true,
  });
  try {
    isAsking = true;
    const slots = await station.runOnce();
    isAsking = false;
    await station.stop(0);
    return exitCodeOfSlots(slots);
  } finally {
    await close();
  }
}

async function watchUntilStopped(job: Job): Promise<number> {
  const log = new MonitorLog();
  const trouble = Promise.withResolvers<never>();
  const { listen } = job.settings;
  const window = listen === undefined ? undefined : new Window(listen);
  const stopped = new AbortController();
  const monitor = await openMonitor({
    ...job,
    onSettled: (settled) => {
      window?.take(settled);
      log.take(settled.slots);
    },
    onTrouble: trouble.reject,
    patience: {
      signal: stopped.signal,
      onFull: ({ message }) => log.warn('waiting for room', { reason: message }),
      onRoom: () => log.say('there is room again'),
    },
  });
  const { station, close } = monitor;
  const told = signalled().then(() => stopped.abort());
  let unschedule: (() => Promise<void>) | undefined;
  try {
    const url = await window?.open(monitor);
    // What was missed is settled before the next slot is told.
    await station.tick();
    const { plan, next } = station.monitor;
    log.say('watching', {
      data: job.dataDir,
      ...(url !== undefined && { url }),
      probes: plan.probes.length,
      next: new Date(next).toISOString(),
    });
    unschedule = everySecond(() => station.tick().catch(trouble.reject));
    await Promise.race([told, trouble.promise]);
    log.say('stopping');
    await Promise.race([station.stop(graceMs), trouble.promise]);
    return 0;
  } finally {
    await unschedule?.();
    await window?.close();
    await close();
  }
}

/**
 * Resolves at the first signal. A second one does not cut its work short: launchers pass on what a terminal has sent to
 * all, so both are listened to until the process ends.
 */
function signalled(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  return promise;
}

function raise(error: unknown): never {
  throw error;
}
