import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServingService } from './serving.ts';

/** A service that listens in any process. The key's text stays in its file. */
export type ListeningService = Omit<ServingService, 'apiKey' | 'close'>;

/** The data that all workers of one command share. */
type WorkerRole = {
  /** One alone opens the operator port. */
  readonly isFirst: boolean;
  /** Milliseconds by which the clock that --now sets is ahead of the machine's. */
  readonly aheadMs?: number;
};

const variable = 'CANDLEPROOF_WORKER';

/** Milliseconds until a worker that ended is replaced. */
const againMs = 100;

/** Returns the role of this process; undefined for the command itself. */
export function workerRole(env: NodeJS.ProcessEnv): WorkerRole | undefined {
  const text = env[variable];
  return cluster.isWorker && text !== undefined ? JSON.parse(text) : undefined;
}

/** Reports to the command that started this worker. */
export function reportReady({ apiKey: _secret, close: _close, ...report }: ServingService): void {
  process.send?.(report);
}

/** Several processes of the same command line on one port; one that is killed is replaced. */
export class Workers {
  readonly #aheadMs: number | undefined;
  readonly #onReady: (first: ListeningService) => void;
  readonly #running = new Set<Worker>();
  #stopping = false;

  /** `onReady` hears of the first worker whenever it has begun, for its operator port is another one each time. */
  constructor(aheadMs: number | undefined, onReady: (first: ListeningService) => void) {
    this.#aheadMs = aheadMs;
    this.#onReady = onReady;
  }

  /** Starts `count` workers; resolves to false if one of them ends before it listens. */
  async start(count: number): Promise<boolean> {
    // The first one fills an empty database; the others find it filled.
    const first = await this.#waitUntilStarted(true);
    if (!first) return false;
    const others = await Promise.all(Array.from({ length: count - 1 }, () => this.#waitUntilStarted(false)));
    if (!others.every(Boolean)) return false;
    this.#onReady(first);
    return true;
  }

  /** Lets all of them answer what has begun, and waits for their end. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const ended = [...this.#running].map(
      (worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())),
    );
    for (const { process: child } of this.#running) child.kill('SIGTERM');
    await Promise.all(ended);
  }

  #waitUntilStarted(isFirst: boolean): Promise<ListeningService | undefined> {
    const role: WorkerRole = {
      isFirst,
      aheadMs: this.#aheadMs,
    };
    const worker = cluster.fork({ [variable]: JSON.stringify(role) });
    this.#running.add(worker);
    return new Promise((resolve) => {
      let began = false;
      worker.once('message', (report: ListeningService) => {
        began = true;
        resolve(report);
      });
      worker.once('exit', () => {
        this.#running.delete(worker);
        resolve(undefined);
        if (began && !this.#stopping) this.#replace(isFirst);
      });
    });
  }

  async #replace(isFirst: boolean): Promise<void> {
    await pause(againMs);
    if (this.#stopping) return;
    const report = await this.#waitUntilStarted(isFirst);
    if (!report) this.#replace(isFirst);
    else if (isFirst) this.#onReady(report);
  }
}
