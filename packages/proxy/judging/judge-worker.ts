import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadPlan, ToThread } from './messages.ts';

export type JudgeWorkerOptions = {
  readonly plan: ThreadPlan;
  /** Returns whether the thread has work, so that a long silence means that it hangs. */
  readonly isBusy: () => boolean;
  readonly onMessage: (message: FromThread) => void;
  /** Called when the thread has ended; its unjudged exchanges are lost, and another one is started. */
  readonly onLost: () => void;
};

const usualHeapMb = 1024;

/** Memory for the objects of one turn, which saves a fifth of the time for garbage collection. */
const youngMb = 48;

/** Longest time in ms in which a thread with work may send no message. */
const mostSilenceMs = 60_000;

/** Milliseconds before a dead thread is restarted, so that one that cannot start does not restart in a tight loop. */
const restartMs = 500;

/** The judge's thread, restarted whenever it ends; its failure does not affect the process. */
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

  /** Posts a message, which is lost if there is no thread. */
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
      // The machine may lack memory for a thread at the moment; traffic continues.
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
      // The thread's end is counted; the engine's message would end up in the middle of a log.
      stderr: true,
    });
    thread.unref();
    thread.on('message', (message: FromThread) => {
      this.#watchOver();
      onMessage(message);
    });
    // The thread's end is counted; no input from a target may end the process.
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

  /** Ends a thread that hangs in one answer. */
  #watchOver(): void {
    clearTimeout(this.#watch);
    this.#watch = undefined;
    if (!this.#options.isBusy()) return;
    this.#watch = setTimeout(() => void this.#thread?.terminate(), mostSilenceMs).unref();
  }
}
