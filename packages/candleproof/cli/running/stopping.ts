import { splitBudget } from '@candleproof/check/plan/plan';
import { estimateSeconds } from '@candleproof/check/target/client';
import type { Spec } from '@candleproof/document/spec/spec';
import { progressLine } from '../words/output.ts';

/** Stops a run before its end; the reason of the signal says why. */
export type Stopping = { readonly signal: AbortSignal; dispose(): void };

const signals = ['SIGINT', 'SIGTERM'] as const;

/** A terminal and our parent process both pass on the same signal. */
const sameSignalMs = 500;

/** As a shell reports a command that was interrupted. */
const interrupted = 130;

const longestTimerMs = 2 ** 31 - 1;

/**
 * Returns the default `--deadline` of a run, in seconds: half a minute, plus a second for each request it may send,
 * or more if the document's rate limit is lower. Waiting longer for answers does not lengthen it: otherwise a target
 * that is slow on purpose would gain time.
 */
export function defaultDeadline(
  budget: number | 'auto' | undefined,
  spec: Pick<Spec, 'ratePerMinute'> = {},
): number {
  return 30 + estimateSeconds(splitBudget(typeof budget === 'number' ? budget : undefined).budget, spec);
}

/** Runs work below a line of progress until it is done, a signal comes or the deadline (in seconds) passes. */
export async function runStoppable<Result>(
  deadline: number,
  work: (stop: AbortSignal, show: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  const stop = stopAtDeadline(deadline);
  const progress = progressLine();
  try {
    return await work(stop.signal, progress.show);
  } finally {
    progress.clear();
    stop.dispose();
  }
}

/** The mark of a command's start on the timeline of a process that runs several; others start with their process. */
export const commandStart = 'command';

/** Returns the milliseconds that the command has taken so far, reading its files included. */
function elapsedMs(): number {
  return performance.now() - (performance.getEntriesByName(commandStart).at(-1)?.startTime ?? 0);
}

/** Ends a run at its deadline or on request; a second request does not wait for the report. */
export function stopAtDeadline(deadlineSeconds: number): Stopping {
  const controller = new AbortController();
  const abort = (): void => controller.abort(`the deadline of ${deadlineSeconds} s passed`);
  const leftMs = Math.max(deadlineSeconds * 1000 - elapsedMs(), 0);
  const timer = setTimeout(abort, Math.min(leftMs, longestTimerMs));
  timer.unref();
  let requestedAt: number | undefined;
  const onSignal = (name: string): void => {
    if (requestedAt !== undefined && performance.now() - requestedAt > sameSignalMs)
      process.exit(interrupted);
    requestedAt ??= performance.now();
    controller.abort(`interrupted (${name})`);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    dispose: () => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
