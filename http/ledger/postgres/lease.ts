import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresQuery } from '../../../postgres/postgres-database.ts';
import { LedgerUnavailable } from '../ledger-store.ts';

export type LeaseTimes = {
  /** Milliseconds for which a holder counts as present after its last renewal. */
  readonly leaseMs: number;
  /** Milliseconds between renewals. */
  readonly renewMs: number;
  /** Milliseconds of silence after which others count the holder's blocks as sent; only then it may spend them. */
  readonly silenceMs: number;
};

/** For a command, which ends soon: its reservations are free soon after a crash. */
export const shortLease: LeaseTimes = { leaseMs: 120_000, renewMs: 20_000, silenceMs: 60_000 };

/** For a monitor, which continues for an hour while the database is unreachable. */
export const longLease: LeaseTimes = { leaseMs: 3_600_000, renewMs: 3000, silenceMs: 10_000 };

/** Part of a lease that its holder uses, because the clocks of two machines may run at different rates. */
const trusted = 0.95;

/** Runs statements in the ledger's database; may throw LedgerUnavailable. */
type RunWork = <T>(work: (query: PostgresQuery) => Promise<T>) => Promise<T>;

/** Shows the database that a holder is present, under a fence: a number that no earlier lease had. */
export class Lease {
  readonly #run: RunWork;
  readonly #holder: string;
  readonly #times: LeaseTimes;
  #fence: string | undefined;
  #taking: Promise<string> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;
  /** When the last answered renewal was sent, in monotonic ms. */
  #sent = Number.NEGATIVE_INFINITY;
  /** The same by the wall clock, which continues while the machine sleeps. */
  #sentAt = Number.NEGATIVE_INFINITY;
  /** When its answer came, in monotonic ms. */
  #heard = Number.NEGATIVE_INFINITY;
  /** Called on each renewal; `wasSilent` if others may have counted this holder's blocks as sent. */
  onRenewed: (wasSilent: boolean) => Promise<void> = async () => undefined;

  constructor(run: RunWork, { holder, times }: { readonly holder: string; readonly times: LeaseTimes }) {
    this.#run = run;
    this.#holder = holder;
    this.#times = times;
  }

  /** Resolves to the number of the running lease; takes a lease if there is none. */
  async fence(): Promise<string> {
    if (this.#fence !== undefined) return this.#fence;
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /** The fence of the running lease, without a query; undefined if there is none. */
  get held(): string | undefined {
    return this.#fence;
  }

  /** Continues with the fence of this holder's earlier process, which may have been active until now. */
  adopt(fence: string): void {
    this.#fence = fence;
    this.#heard = performance.now();
    this.#renewLater();
  }

  /** Forgets a lease that has ended; the next booking takes a new one. */
  drop(fence: string): void {
    if (this.#fence === fence) this.#fence = undefined;
  }

  /** Milliseconds for which a block may still be spent; the lease itself ends later. */
  get leftMs(): number {
    const passed = Math.max(performance.now() - this.#sent, Date.now() - this.#sentAt);
    return this.#times.leaseMs * trusted - passed;
  }

  /** Resolves at the time when others count this holder's blocks as sent. */
  async awaitSilence(): Promise<void> {
    const rest = this.#heard + this.#times.silenceMs - performance.now();
    if (rest > 0) await pause(rest, undefined, { ref: false });
  }

  /** Gives the lease back; the next booking takes a new one. */
  async giveUp(): Promise<void> {
    const fence = this.#fence;
    this.#fence = undefined;
    if (fence !== undefined)
      await this.#run((query) => query('DELETE FROM ledger_lease WHERE fence = $1', [fence]));
  }

  /** Gives the lease back, and renews none any more. */
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
      // The timer tries again; a booking meanwhile reports the error.
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

/** Deletes rows that are useless once their lease has ended; the next booking settles flights and blocks. */
const tidying = [
  "DELETE FROM ledger_lease WHERE ends < clock_timestamp() - interval '1 day'",
  'DELETE FROM ledger_member WHERE fence NOT IN (SELECT fence FROM ledger_lease)',
  'DELETE FROM ledger_reservation WHERE NOT is_block AND fence NOT IN (SELECT fence FROM ledger_lease)',
];
