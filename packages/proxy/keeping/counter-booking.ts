import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { UsageError } from '@candleproof/files/usage-error';
import type { PassedQuota } from '../judging/passing-quotas.ts';

/** Messages that wait for a disk or a database; more are dropped. */
const maxWaiting = 1000;

type OnLost = (reason: string) => void;

/**
 * Books the counters of keys in a separate thread, so that traffic does not wait for disks and databases. Drops what
 * cannot be written, with one notice until writing works again.
 */
export class CounterBooking {
  readonly #thread: Worker;
  readonly #onLost: OnLost;
  readonly #ended: Promise<void>;
  #isLosing = false;
  #waiting = 0;

  private constructor(thread: Worker, onLost: OnLost) {
    this.#thread = thread;
    this.#onLost = onLost;
    thread.on('message', (message: FromBookingThread) => this.#receive(message));
    thread.on('error', ({ message }: Error) => this.#reportLoss(message));
    this.#ended = new Promise((resolve) => thread.once('exit', () => resolve()));
  }

  /** Throws a UsageError for a ledger that cannot be opened. */
  static async open(plan: LedgerPlan, onLost: OnLost): Promise<CounterBooking> {
    const thread = new Worker(new URL(`./booking-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: plan,
    });
    thread.unref();
    const opened = Promise.withResolvers<FromBookingThread>();
    thread.once('message', opened.resolve).once('error', opened.reject);
    const first = await opened.promise;
    if (first.kind !== 'refused') return new CounterBooking(thread, onLost);
    await thread.terminate();
    throw new UsageError(`--ledger: ${first.reason}`);
  }

  see(quota: PassedQuota): void {
    if (this.#waiting >= maxWaiting) return;
    this.#waiting += 1;
    this.#thread.postMessage({ kind: 'quota', quota } satisfies ToBookingThread);
  }

  /** Waits at most `graceMs` for counters that are still to be booked. */
  async close(graceMs: number): Promise<void> {
    this.#thread.postMessage({ kind: 'close' } satisfies ToBookingThread);
    const timer = setTimeout(() => void this.#thread.terminate(), graceMs);
    await this.#ended;
    clearTimeout(timer);
  }

  #receive(message: FromBookingThread): void {
    this.#waiting -= 1;
    if (message.kind === 'kept') this.#isLosing = false;
    if (message.kind === 'lost') this.#reportLoss(message.reason);
  }

  #reportLoss(reason: string): void {
    if (!this.#isLosing) this.#onLost(reason);
    this.#isLosing = true;
  }
}

/** The ledger's file, or the URL of its database, which may hold a password. */
export type LedgerPlan = { readonly file: string } | { readonly url: string };

export type ToBookingThread =
  | { readonly kind: 'quota'; readonly quota: PassedQuota }
  | { readonly kind: 'close' };
/** Each message is answered once; `opened` or `refused` comes first. */
export type FromBookingThread =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'kept' }
  | { readonly kind: 'lost'; readonly reason: string };
