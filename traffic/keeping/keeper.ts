import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { UsageError } from '../../files/usage-error.ts';
import type { TrafficOrigin } from '../../results/known-states.ts';
import type { TrafficMinute } from '../judging/messages.ts';
import type { PassedQuota } from '../judging/passing-quotas.ts';
import type { Passing } from './traffic-store.ts';

/** Messages that wait for a disk or a database; more are dropped. */
const mostWaiting = 1000;

type OnLost = (part: KeptPart, reason: string) => void;

/**
 * Stores minutes of traffic and readings of keys in a separate thread, so that traffic does not wait for disks and
 * databases. Drops messages that cannot be written, with one notice until writing works again.
 */
export class Keeper {
  readonly #thread: Worker;
  readonly #onLost: OnLost;
  readonly #ended: Promise<void>;
  readonly #lost = new Set<KeptPart>();
  #waiting = 0;

  private constructor(thread: Worker, onLost: OnLost) {
    this.#thread = thread;
    this.#onLost = onLost;
    thread.on('message', (message: FromKeeper) => this.#receive(message));
    thread.on('error', ({ message }: Error) => {
      for (const part of ['results', 'ledger'] as const) this.#reportLoss(part, message);
    });
    this.#ended = new Promise((resolve) => thread.once('exit', () => resolve()));
  }

  /** Throws a UsageError for a store that cannot be opened. */
  static async open(plan: KeeperPlan, onLost: OnLost): Promise<Keeper> {
    const thread = new Worker(new URL(`./keeper-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: plan,
    });
    thread.unref();
    const opened = Promise.withResolvers<FromKeeper>();
    thread.once('message', opened.resolve).once('error', opened.reject);
    const first = await opened.promise;
    if (first.kind !== 'refused') return new Keeper(thread, onLost);
    await thread.terminate();
    throw new UsageError(`--${first.part}: ${first.reason}`);
  }

  begin(origin: TrafficOrigin): void {
    this.#post({ kind: 'origin', origin });
  }

  take(minute: TrafficMinute): void {
    this.#post({ kind: 'minute', minute });
  }

  see(quota: PassedQuota): void {
    this.#post({ kind: 'quota', quota });
  }

  /** Waits at most `graceMs` for messages that are still to be stored. */
  async close(graceMs: number): Promise<void> {
    this.#thread.postMessage({ kind: 'close' } satisfies ToKeeper);
    const timer = setTimeout(() => void this.#thread.terminate(), graceMs);
    await this.#ended;
    clearTimeout(timer);
  }

  #post(message: ToKeeper): void {
    if (this.#waiting >= mostWaiting) return;
    this.#waiting += 1;
    this.#thread.postMessage(message);
  }

  #receive(message: FromKeeper): void {
    this.#waiting -= 1;
    if (message.kind === 'kept') this.#lost.delete(message.part);
    if (message.kind === 'lost') this.#reportLoss(message.part, message.reason);
  }

  #reportLoss(part: KeptPart, reason: string): void {
    if (!this.#lost.has(part)) this.#onLost(part, reason);
    this.#lost.add(part);
  }
}

/** The stores that keep traffic beside its reports. */
export type KeeperPlan = {
  readonly results?: { readonly folder: string; readonly passing: Passing };
  /** A file, or the URL of a database, which may hold a password. */
  readonly ledger?: { readonly file: string } | { readonly url: string };
};

export type KeptPart = keyof KeeperPlan;

export type ToKeeper =
  | { readonly kind: 'origin'; readonly origin: TrafficOrigin }
  | { readonly kind: 'minute'; readonly minute: TrafficMinute }
  | { readonly kind: 'quota'; readonly quota: PassedQuota }
  | { readonly kind: 'close' };
/** Each message is answered once; `opened` or `refused` comes first. */
export type FromKeeper =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly part: KeptPart; readonly reason: string }
  | { readonly kind: 'kept'; readonly part: KeptPart }
  | { readonly kind: 'lost'; readonly part: KeptPart; readonly reason: string };
