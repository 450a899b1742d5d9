import { everySecond } from '../../monitors/plan/schedule.ts';
import { machineClock } from '../../monitors/probes/clock.ts';
import type { SettledSlots } from '../../monitors/slots/recorder.ts';
import { formatBreak, type TimeBreak, TimeWatch } from '../../monitors/slots/time-watch.ts';
import { type OpenMonitor, openMonitor, refuseJob } from '../../monitors/watching/open-monitor.ts';
import { Window } from '../../monitors/watching/window.ts';
import type { MonitorSetup } from './job.ts';
import { MonitorLog } from './monitor-log.ts';
import { drawPages } from './pages.ts';

/** Longest wait in ms for probes that are under way when the monitor has to stop. */
const graceMs = 10_000;

type Signals = { readonly stop: Promise<'stop'>; hangUp(): Promise<'hang up'> };

/**
 * Watches until a signal ends it. SIGHUP reads the config again: a proper one takes the place of the job in this
 * process, on the same store; another is refused in one line, and nothing changes. `reread` throws as jobOf does.
 */
export async function watchUntilStopped(
  job: MonitorSetup,
  reread: () => MonitorSetup | 'local',
): Promise<number> {
  const log = new MonitorLog();
  const signals = listen();
  let current = job;
  for (let wanted: MonitorSetup | 'stop' = job; wanted !== 'stop'; ) {
    try {
      const watching = await begin(wanted, signals, log);
      current = wanted;
      wanted = await run(watching, signals, () => reloaded(reread, log), log);
    } catch (error) {
      // A trouble that shows only at the start, such as a port that is taken: the old job goes on.
      if (wanted === current) throw error;
      refuse(log, error);
      wanted = current;
    }
  }
  return 0;
}

type Watching = OpenMonitor & { readonly trouble: Promise<never> };

/** Opens the job with what others can read of it, and says so. */
async function begin(job: MonitorSetup, signals: Signals, log: MonitorLog): Promise<Watching> {
  const trouble = Promise.withResolvers<never>();
  trouble.promise.catch(() => undefined);
  const window = job.listen === undefined ? undefined : new Window(job.listen, drawPages);
  const stopped = new AbortController();
  void signals.stop.then(() => stopped.abort());
  const onSettled = (settled: SettledSlots): void => {
    window?.take(settled);
    log.take(settled.slots);
  };
  const patience = {
    signal: stopped.signal,
    onFull: ({ message }: Error) => log.warn('waiting for room', { reason: message }),
    onRoom: () => log.say('there is room again'),
  };
  const carrying = {
    onCutOff: ({ message }: Error) => log.warn('cut off, and kept in the folder', { reason: message }),
    onCaughtUp: () => log.say('the database has all again'),
  };
  const opened = await openMonitor({ ...job, onSettled, onTrouble: trouble.reject, patience, carrying });
  const close = async (): Promise<void> => {
    await window?.close();
    await opened.close();
  };
  try {
    const url = await window?.open(opened);
    // Missed slots are settled before the next slot is reported.
    await opened.station.tick();
    const { plan, next } = opened.station.monitor;
    log.say('watching', {
      data: job.dataDir,
      ...(job.results && { results: job.results.place }),
      ...(url !== undefined && { url }),
      probes: plan.probes.length,
      // None before it is known with whom the slots are shared.
      ...(Number.isFinite(next) && { next: new Date(next).toISOString() }),
    });
    return { ...opened, trouble: trouble.promise, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Ticks until a signal asks for something else, and ends what is under way. */
async function run(
  { station, trouble, close }: Watching,
  signals: Signals,
  next: () => Promise<MonitorSetup | undefined>,
  log: MonitorLog,
): Promise<MonitorSetup | 'stop'> {
  const failed = Promise.withResolvers<never>();
  const time = new TimeWatch(machineClock);
  const breaks: TimeBreak[] = [];
  const unschedule = everySecond(
    () => station.tick(breaks.splice(0)).catch(failed.reject),
    () => {
      const broken = time.check();
      for (const timeBreak of broken) log.warn(timeBreak.kind, { reason: formatBreak(timeBreak) });
      breaks.push(...broken);
      station.beat();
    },
  );
  try {
    const ended = Promise.race([trouble, failed.promise]);
    const wanted = await Promise.race([wantedNext(signals, next), ended]);
    log.say(wanted === 'stop' ? 'stopping' : 'reloading');
    await Promise.race([station.stop(graceMs), ended]);
    return wanted;
  } finally {
    await unschedule();
    await close();
  }
}

/** Resolves when the job has to end: for good, or for another one. */
async function wantedNext(
  signals: Signals,
  next: () => Promise<MonitorSetup | undefined>,
): Promise<MonitorSetup | 'stop'> {
  for (;;) {
    if ((await Promise.race([signals.stop, signals.hangUp()])) === 'stop') return 'stop';
    const job = await next();
    if (job) return job;
  }
}

/** Undefined where nothing that can be watched was read. */
async function reloaded(
  reread: () => MonitorSetup | 'local',
  log: MonitorLog,
): Promise<MonitorSetup | undefined> {
  try {
    const job = reread();
    if (job === 'local') throw new Error('local has no config that could be read again');
    await refuseJob(job);
    return job;
  } catch (error) {
    refuse(log, error);
    return undefined;
  }
}

function refuse(log: MonitorLog, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  log.warn('SIGHUP: the config was refused, and the one before stays in force', { reason });
}

/**
 * A second signal to stop does not cut the work of the first short: launchers pass on what a terminal has sent to all,
 * so both are listened to until the process ends.
 */
function listen(): Signals {
  const stop = Promise.withResolvers<'stop'>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.resolve('stop'));
  let hangUp = Promise.withResolvers<'hang up'>();
  process.on('SIGHUP', () => {
    hangUp.resolve('hang up');
    hangUp = Promise.withResolvers();
  });
  return { stop: stop.promise, hangUp: () => hangUp.promise };
}
