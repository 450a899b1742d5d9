import type { LoadMessage, LoadPlan, LoadRun } from '../load-run.ts';

/** One load for a process that sends it. */
export type GeneratorRun = {
  readonly plan: LoadPlan;
  readonly apiKey?: string | undefined;
  /** PEM of an authority to trust. */
  readonly ca?: string | undefined;
  readonly segment?: Segment | undefined;
  readonly onMessage: (message: LoadMessage) => void;
  /** Ends it cleanly. */
  readonly stop: AbortSignal;
};

export type Segment = { readonly index: number; readonly of: number };

export type GeneratorEnded = {
  /** Absent if the process died before it could report it. */
  readonly run?: LoadRun | undefined;
  /** The highest share of all cores over two seconds, and seconds of one core in all, if measured from outside. */
  readonly cpu?: number | undefined;
  readonly cpuSeconds?: number | undefined;
  /** MiB of memory at which it was ended, if its target's answers took too much. */
  readonly memory?: number | undefined;
  readonly code: number | null;
  /** Its complaints, one line each. */
  readonly complaints: readonly string[];
};

/** Complaints that are kept. */
export const maxComplaints = 20;

/** After a signal a generator waits for answers that are under way, and reports its run. */
const patienceMs = 15_000;

/** Interrupts a process once, and kills it if that does not help; returns what undoes this. */
export function stopWith(stop: AbortSignal, kill: (signal: 'SIGINT' | 'SIGKILL') => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    kill('SIGINT');
    timer = setTimeout(() => kill('SIGKILL'), patienceMs);
  };
  if (stop.aborted) interrupt();
  stop.addEventListener('abort', interrupt, { once: true });
  return () => {
    clearTimeout(timer);
    stop.removeEventListener('abort', interrupt);
  };
}
