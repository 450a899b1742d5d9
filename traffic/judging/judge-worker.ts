import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadPlan, ToThread } from './messages.ts';

export type JudgeWorkerOptions = {
  readonly plan: ThreadPlan;
  /** Returns whether it has something to do: then it may not be silent for long. */
  readonly isBusy: () => boolean;
  readonly onMessage: (message: FromThread) => void;
  /** It ended, and what it had not judged by now it never will; another one is started. */
  readonly onLost: () => void;
};

const usualHeapMb = 1024;

/** Room for the objects of one turn, which spares the collector a fifth of the time. */
const youngMb = 48;

/** Longest time in ms in which a thread with work to do may say nothing. */
const mostSilenceMs = 60_000;

/** Waits of a thread that died, in ms: one that cannot start is not started in a circle. */
const restartMs = 500;

/** The judge's thread, started again whenever it ends; its failure does not affect the process. */
export class JudgeWorker {
  readonly #options: JudgeWorkerOptions;
  #thread: Worker | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: JudgeWorkerOptions) {
    this.#options = options;
    this.#start();
  }

  get isThere(): boolean {
    return this.#thread !== undefined;
  }

  /** Lost where no thread is there. */
  post(message: ToThread, transfer: ArrayBuffer[] = []): void {
    this.#thread?.postMessage(message, transfer);
    if (this.#watch === undefined) this.#watchOver();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#watch);
    await this.#thread?.terminate();
  }

  #start(): void {
    if (this.#isClosed) return;
    try {
      this.#thread = this.#startWorker();
    } catch {
      // The machine may have no room for a thread just now; traffic goes on.
      this.#restart();
    }
  }

  #startWorker(): Worker {
    const { plan, onMessage } = this.#options;
    const thread = new Worker(new URL(`./judge-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: plan,
      resourceLimits: {
        maxOldGenerationSizeMb: plan.mostHeapMb ?? usualHeapMb,
        maxYoungGenerationSizeMb: youngMb,
      },
      // Its end is counted; the engine's message would land in the middle of a log.
      stderr: true,
    });
    thread.unref();
    thread.on('message', (message: FromThread) => {
      this.#watchOver();
      onMessage(message);
    });
    // Its end is counted; nothing that a target sends may end the process.
    thread.on('error', () => undefined);
    thread.once('exit', () => this.#onExit());
    return thread;
  }

  #onExit(): void {
    this.#thread = undefined;
    clearTimeout(this.#watch);
    this.#watch = undefined;
    this.#options.onLost();
    if (!this.#isClosed) this.#restart();
  }

  #restart(): void {
    setTimeout(() => this.#start(), restartMs).unref();
  }

  /** A thread that hangs in one answer is ended. */
  #watchOver(): void {
    clearTimeout(this.#watch);
    this.#watch = undefined;
    if (!this.#options.isBusy()) return;
    this.#watch = setTimeout(() => void this.#thread?.terminate(), mostSilenceMs).unref();
  }
}
