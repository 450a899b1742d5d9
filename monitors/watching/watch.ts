import type { AlertMessage } from '../alerting/message.ts';
import { machineClock } from '../probes/clock.ts';
import { second } from '../results/calendar.ts';
import { openWithRoom } from '../slots/patient-store.ts';
import type { SettledSlots } from '../slots/recorder.ts';
import { formatBreak, type TimeBreak, TimeWatch } from '../slots/time-watch.ts';
import { type MonitorJob, type OpenMonitor, openMonitor, refuseJob } from './open-monitor.ts';
import { type DrawRoutes, Window } from './window.ts';

/** Longest wait in ms for running probes when the monitor has to stop. */
const graceMs = 10_000;

/** A job that is not begun, and host:port to listen at. */
export type MonitorSetup = Omit<MonitorJob, 'onSettled' | 'onTrouble'> & { readonly listen?: string };

/** Takes the events of a monitor that watches, with their facts. */
type WatchLog = {
  say(message: string, facts?: Readonly<Record<string, unknown>>): void;
  warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
  take(slots: SettledSlots['slots']): void;
};

/** Signals to a monitor: to end, and to read its job again, which may come more than once. */
export type Signals = { readonly stop: Promise<'stop'>; hangUp(): Promise<'hang up'> };

type WatchEnvironment = {
  readonly signals: Signals;
  readonly log: WatchLog;
  /** Draws the pages of a monitor that listens. */
  readonly draw: DrawRoutes;
  /** Reads the job again; `local` has none to read. Throws a UsageError. */
  reread(): MonitorSetup | 'local';
};

/**
 * Watches until a signal ends it. The signal to hang up reads the job again: a proper one takes the place of the old in
 * this process, on the same store; another is refused in one line, and nothing changes.
 */
export async function watchUntilStopped(job: MonitorSetup, surroundings: WatchEnvironment): Promise<void> {
  const { signals, log } = surroundings;
  let current = job;
  for (let wanted: MonitorSetup | 'stop' = job; wanted !== 'stop'; ) {
    try {
      const watching = await begin(wanted, surroundings);
      current = wanted;
      wanted = await run(watching, signals, () => reloadSetup(surroundings), log);
    } catch (error) {
      // Some errors appear only at the start, such as a port in use: the old job continues.
      if (wanted === current) throw error;
      refuse(log, error);
      wanted = current;
    }
  }
}

/** Logs a message of an alert: what is over is no warning. */
function logAlert({ kind, text, id, target }: AlertMessage, log: WatchLog): void {
  const isOver = kind === 'resolved' || kind === 'acknowledged';
  log[isOver ? 'say' : 'warn'](`alert ${kind}`, {
    target,
    reason: text,
    id,
  });
}

type Watching = OpenMonitor & { readonly trouble: Promise<never> };

/** Opens the job and its port, and logs both. */
async function begin(job: MonitorSetup, { signals, log, draw }: WatchEnvironment): Promise<Watching> {
  const trouble = Promise.withResolvers<never>();
  trouble.promise.catch(() => undefined);
  const window = job.listen === undefined ? undefined : new Window(job.listen, draw);
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
  const withoutLedger = {
    onAway: ({ message }: Error) => log.warn('without the ledger', { reason: message }),
    onBack: () => log.say('the ledger is back'),
  };
  const opened = await openWithRoom(
    () =>
      openMonitor({
        ...{ ...job, onSettled, patience, carrying, withoutLedger },
        onTrouble: trouble.reject,
        onAlert: (message) => logAlert(message, log),
      }),
    {
      ...{ ...patience, clock: machineClock },
      onFull(error) {
        patience.onFull(error);
        void window?.wait(error.message).catch(trouble.reject);
      },
    },
  ).catch(async (error) => {
    await window?.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await window?.close();
    await opened.close();
  };
  try {
    const url = await window?.open(opened);
    // Missed slots are settled before the next slot is reported.
    await opened.alertingMonitor.tick();
    const { plan, next } = opened.alertingMonitor.monitor;
    log.say('watching', {
      data: job.dataDir,
      ...(job.results && { results: job.results.place }),
      url,
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

/** Ticks until a signal arrives, and then ends running probes. */
async function run(
  { alertingMonitor, trouble, close }: Watching,
  signals: Signals,
  next: () => Promise<MonitorSetup | undefined>,
  log: WatchLog,
): Promise<MonitorSetup | 'stop'> {
  const failed = Promise.withResolvers<never>();
  const time = new TimeWatch(machineClock);
  const breaks: TimeBreak[] = [];
  const unschedule = repeatEverySecond(
    () => alertingMonitor.tick(breaks.splice(0)).catch(failed.reject),
    () => {
      const broken = time.check();
      for (const timeBreak of broken) log.warn(timeBreak.kind, { reason: formatBreak(timeBreak) });
      breaks.push(...broken);
      alertingMonitor.beat();
    },
  );
  try {
    const ended = Promise.race([trouble, failed.promise]);
    const wanted = await Promise.race([awaitNextSetup(signals, next), ended]);
    log.say(wanted === 'stop' ? 'stopping' : 'reloading');
    await Promise.race([alertingMonitor.stop(graceMs), ended]);
    return wanted;
  } finally {
    await unschedule();
    await close();
  }
}

/** Resolves when the job has to end: for good, or for another one. */
async function awaitNextSetup(
  signals: Signals,
  next: () => Promise<MonitorSetup | undefined>,
): Promise<MonitorSetup | 'stop'> {
  for (;;) {
    if ((await Promise.race([signals.stop, signals.hangUp()])) === 'stop') return 'stop';
    const job = await next();
    if (job) return job;
  }
}

/** Reads the job again; undefined if it cannot be watched. */
async function reloadSetup({ reread, log }: WatchEnvironment): Promise<MonitorSetup | undefined> {
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

function refuse(log: WatchLog, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  log.warn('SIGHUP: the config was refused, and the one before stays in force', { reason });
}

/** In ms. */
/**
 * Calls the work at every whole second of Unix time, which knows no zones; a second that begins while the work of one
 * before is still going is skipped. `onSecond` is called at each of them all the same. The result ends it, and resolves
 * when no work is under way.
 */
export function repeatEverySecond(
  work: () => Promise<void>,
  onSecond: () => void = () => undefined,
): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let running: Promise<void> | undefined;
  const beat = (): void => {
    arm();
    onSecond();
    running ??= work().finally(() => {
      running = undefined;
    });
  };
  const arm = (): void => {
    timer = setTimeout(beat, second - (Date.now() % second));
  };
  arm();
  return async () => {
    clearTimeout(timer);
    await running;
  };
}
