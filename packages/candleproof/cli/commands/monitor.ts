import { setFlagsFromString } from 'node:v8';
import { ageInWords } from '@candleproof/monitors/page/plan-words';
import { drawPages } from '@candleproof/monitors/page/served/drawn-pages';
import { formatLimit, type SlotRecord } from '@candleproof/monitors/results/probe-record';
import { openMonitor } from '@candleproof/monitors/watching/open-monitor';
import { type MonitorSetup, type Signals, watchUntilStopped } from '@candleproof/monitors/watching/watch';
import type { Command } from 'commander';
import { dataFlag, resultsFlag } from '../database/read-results.ts';
import { addBackup } from '../monitoring/backup.ts';
import { type JobFlags, makeUsualJob, readJob } from '../monitoring/job.ts';
import { MonitorLog } from '../monitoring/monitor-log.ts';
import { addRemarks } from '../monitoring/remarks.ts';
import { headings, overageFlag, timeoutOption } from '../running/options.ts';
import { keepYoungSpaceSmall } from '../running/young-space.ts';
import { openLocal } from '../target/local-service.ts';
import { addTargetFlags } from '../target/target-flags.ts';
import { printText } from '../words/output.ts';

type MonitorFlags = JobFlags & { readonly once?: boolean };

/** Adds the command `monitor` to the program. */
export function registerMonitor(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('monitor [targets...]')
    .description('scheduled probes into the results store, within the monthly quota; see docs/monitoring.md');
  addRemarks(command);
  addBackup(command);
  addTargetFlags(command)
    .optionsGroup(headings.store)
    .option(...dataFlag)
    .option(...resultsFlag)
    .optionsGroup(headings.sent)
    .option('--once', 'run every probe once, and exit as check does')
    .option(...overageFlag)
    .addOption(timeoutOption(10_000))
    .action(async (names: readonly string[], flags: MonitorFlags) => {
      keepYoungSpaceSmall();
      // V8's old generation would take twice what is alive.
      setFlagsFromString('--heap-growing-percent=30');
      const job = readJob(names, flags, process.env);
      const reread = (): MonitorSetup | 'local' => readJob(names, flags, process.env);
      if (job !== 'local') return exit(await monitor(job, flags, reread));
      const local = await openLocal({ handlesSignals: true });
      try {
        exit(
          await monitor(makeUsualJob({ kind: 'remote', ...local.target }, flags, {}), flags, () => 'local'),
        );
      } finally {
        await local.close();
      }
    });
}

async function monitor(
  job: MonitorSetup,
  flags: MonitorFlags,
  reread: () => MonitorSetup | 'local',
): Promise<number> {
  if (flags.once) return monitorOnce(job);
  await watchUntilStopped(job, { signals: listen(), log: new MonitorLog(), draw: drawPages, reread });
  return 0;
}

async function monitorOnce(job: MonitorSetup): Promise<number> {
  let isPrompting = false;
  const { alertingMonitor, close } = await openMonitor({
    ...job,
    onSettled: ({ slots }) => {
      // The report, not this output, shows the slots that an earlier monitor left unfinished.
      if (isPrompting) printText(slots.map((slot) => `${slotInWords(slot)}\n`).join(''));
    },
    onTrouble: raise,
    carrying: {
      onCutOff: ({ message }) => process.stderr.write(`candleproof: ${message}: kept in ${job.dataDir}\n`),
      onCaughtUp: () => undefined,
    },
    withoutLedger: {
      onAway: ({ message }) => process.stderr.write(`candleproof: ${message}: the newest answer counts\n`),
      onBack: () => undefined,
    },
    isUnplanned: true,
  });
  try {
    isPrompting = true;
    const slots = await alertingMonitor.runOnce();
    isPrompting = false;
    await alertingMonitor.stop(0);
    return slotsExitCode(slots);
  } finally {
    await close();
  }
}

function raise(error: unknown): never {
  throw error;
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

/** A slot as one line. */
export function slotInWords({
  series,
  outcome,
  state,
  failure,
  rules,
  degradedBy,
  reason,
  age,
  samples,
}: SlotRecord): string {
  const slowest = Math.max(...samples.map(({ timings }) => timings.total));
  return [
    `${series.target}/${series.probe}: ${outcome ?? state}`,
    ...(failure ? [`${failure.phase} ${failure.class}`] : []),
    ...(outcome === 'limited' && reason === undefined ? [formatLimit(samples)] : []),
    ...(rules.length > 0 && failure?.phase !== 'contract' ? [rules.join(' ')] : []),
    ...(degradedBy ? [`by ${degradedBy.join(' ')}`] : []),
    ...(samples.length > 0
      ? [`${samples.length} request${samples.length > 1 ? 's' : ''}, slowest ${Math.round(slowest)} ms`]
      : []),
    ...(age !== undefined ? [`newest candle ${ageInWords(age)} old`] : []),
    ...(reason !== undefined ? [reason] : []),
  ].join(', ');
}

/**
 * As `check` exits. 1: a must was broken, or no answer came while the same target gave others; 3: what could not be
 * decided, a target that answered nothing included.
 */
export function slotsExitCode(slots: readonly SlotRecord[]): 0 | 1 | 3 {
  const answered = new Set(slots.filter(isAnswered).map(({ series }) => series.target));
  const isBroken = slots.some(
    ({ outcome, failure, series }) =>
      failure?.phase === 'contract' || (outcome === 'failed' && answered.has(series.target)),
  );
  if (isBroken) return 1;
  return slots.every((slot) => isAnswered(slot) || slot.outcome === 'excluded') ? 0 : 3;
}

function isAnswered({ outcome }: SlotRecord): boolean {
  return outcome === 'ok' || outcome === 'degraded';
}
