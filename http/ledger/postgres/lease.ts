import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresQuery } from '../../../postgres/postgres-database.ts';
import { LedgerUnavailable } from '../ledger-store.ts';

/** All in ms. */
export type LeaseTimes = {
  /** Milliseconds for which a holder counts as present after its last renewal. */
  readonly leaseMs: number;
  /** Milliseconds between renewals. */
  readonly renewMs: number;
  /** After so long others count what it took along as sent, and only then it may send of that. */
  readonly silenceMs: number;
};

/** A command ends soon, and what it left behind is free soon. */
export const shortLease: LeaseTimes = { leaseMs: 120_000, renewMs: 20_000, silenceMs: 60_000 };

/** A monitor goes on for an hour while the database is away. */
export const longLease: LeaseTimes = { leaseMs: 3_600_000, renewMs: 3000, silenceMs: 10_000 };

/** Clocks of two machines run so much alike: less of a lease is used than was given. */
const trusted = 0.95;

/** Runs statements where the ledger is; throws LedgerUnavailable. */
type RunWork = <T>(work: (query: PostgresQuery) => Promise<T>) => Promise<T>;

/** That a holder is there, known to the database by a fence: a number that no earlier lease of anybody had. */
export class Lease {
  readonly #run: RunWork;
  readonly #holder: string;
  readonly #times: LeaseTimes;
  #fence: string | undefined;
  #taking: Promise<string> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;
  /** Monotonic ms: when the last renewal that was answered had been sent, and when its answer came. */
  #sent = Number.NEGATIVE_INFINITY;
  /** The first of them by the wall clock too, which goes on while the machine sleeps. */
  #sentAt = Number.NEGATIVE_INFINITY;
  #heard = Number.NEGATIVE_INFINITY;
  /** Called on each renewal; `wasSilent` where others may have counted this holder's blocks as sent. */
  onRenewed: (wasSilent: boolean) => Promise<void> = async () => undefined;

  constructor(run: RunWork, { holder, times }: { readonly holder: string; readonly times: LeaseTimes }) {
    this.#run = run;
    this.#holder = holder;
    this.#times = times;
  }

  /** The number of the running lease; takes one where there is none. */
  async fence(): Promise<string> {
    if (this.#fence !== undefined) return this.#fence;
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /** The fence that is held, without reaching for the database. */
  get held(): string | undefined {
    return this.#fence;
  }

  /** Goes on under a fence that an earlier process of this holder had, which may have been active until now. */
  adopt(fence: string): void {
    this.#fence = fence;
    this.#heard = performance.now();
    this.#renewLater();
  }

  /** The lease of this fence has ended: the next booking takes a new one. */
  drop(fence: string): void {
    if (this.#fence === fence) this.#fence = undefined;
  }

  /** For how many ms more a block may be spent; the lease ends later. */
  get leftMs(): number {
    const passed = Math.max(performance.now() - this.#sent, Date.now() - this.#sentAt);
    return this.#times.leaseMs * trusted - passed;
  }

  /** Resolves when others have counted this holder's blocks as sent, or would. */
  async awaitSilence(): Promise<void> {
    const rest = this.#heard + this.#times.silenceMs - performance.now();
    if (rest > 0) await pause(rest, undefined, { ref: false });
  }

  /** Gives it back; a next one is taken with the next booking. */
  async giveUp(): Promise<void> {
    const fence = this.#fence;
    this.#fence = undefined;
    if (fence !== undefined)
      await this.#run((query) => query('DELETE FROM ledger_lease WHERE fence = $1', [fence]));
  }

  /** Gives it back for good. */
  async end(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    await this.giveUp();
  }

  async #take(): Promise<string> {
    const { leaseMs, silenceMs } = this.#times;
    const sent = sentNow();
    const fence = await this.#run(async (query) => {
      for (const statement of tidying) await query(statement);
      const [row] = await query(take, [this.#holder, leaseMs, silenceMs]);
      return String(row?.fence);
    });
    this.#note(sent);
    this.#fence = fence;
    this.#renewLater();
    return fence;
  }

  async #renew(): Promise<void> {
    const fence = this.#fence;
    if (fence === undefined) return this.#renewLater();
    const { leaseMs, silenceMs } = this.#times;
    const sent = sentNow();
    try {
      const rows = await this.#run((query) => query(renewal, [fence, leaseMs, silenceMs]));
      const wasSilent = performance.now() - this.#heard > silenceMs;
      if (rows.length === 0) this.drop(fence);
      else this.#note(sent);
      await this.onRenewed(wasSilent || rows.length === 0);
    } catch (error) {
      // It is tried again; a booking meanwhile reports it.
      if (!(error instanceof LedgerUnavailable)) throw error;
    }
    this.#renewLater();
  }

  #note({ steady, wall }: Sent): void {
    this.#sent = steady;
    this.#sentAt = wall;
    this.#heard = performance.now();
  }

  #renewLater(): void {
    clearTimeout(this.#timer);
    if (this.#isEnded) return;
    this.#timer = setTimeout(() => void this.#renew(), this.#times.renewMs);
    this.#timer.unref();
  }
}

type Sent = { readonly steady: number; readonly wall: number };

function sentNow(): Sent {
  return { steady: performance.now(), wall: Date.now() };
}

const take = `
  INSERT INTO ledger_lease (holder, ends, silent)
  VALUES ($1, clock_timestamp() + $2 * interval '1 ms', clock_timestamp() + $3 * interval '1 ms') RETURNING fence`;

const renewal = `
  UPDATE ledger_lease
  SET ends = clock_timestamp() + $2 * interval '1 ms', silent = clock_timestamp() + $3 * interval '1 ms'
  WHERE fence = $1 AND ends > clock_timestamp() RETURNING fence`;

/** Rows of no use once a lease is gone; the next booking settles flights and blocks. */
const tidying = [
  "DELETE FROM ledger_lease WHERE ends < clock_timestamp() - interval '1 day'",
  'DELETE FROM ledger_member WHERE fence NOT IN (SELECT fence FROM ledger_lease)',
  'DELETE FROM ledger_reservation WHERE NOT is_block AND fence NOT IN (SELECT fence FROM ledger_lease)',
];
