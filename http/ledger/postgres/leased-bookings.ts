import type { Shares } from '../../../planning/allowance.ts';
import type { Grant } from '../../../planning/grant.ts';
import { newLedger } from '../../../planning/ledger-state.ts';
import type { Landed } from '../booked-requests.ts';
import type { AccountView, Bookings, Books, Held, SeenQuota, SlotRequest } from '../bookings.ts';
import type { NumberedEvent } from '../ledger-store.ts';
import { LedgerAway, LedgerUnavailable } from '../ledger-store.ts';
import type { Lease } from './lease.ts';
import { isLocal, type LeasedBlocks } from './leased-blocks.ts';
import { TakenAlong } from './taken-along.ts';

/**
 * Books for a holder that continues while the database is unreachable, with a block for each account that was reserved
 * in advance. The part of a block that is not returned before its lease ends counts as spent.
 */
export class LeasedBookings implements Books {
  readonly #inner: Bookings;
  readonly #lease: Lease;
  readonly #blocks: LeasedBlocks;
  readonly #along: TakenAlong;
  readonly #views = new Map<string, AccountView>();

  private constructor(inner: Bookings, lease: Lease, blocks: LeasedBlocks, leaseMs: number) {
    this.#inner = inner;
    this.#lease = lease;
    this.#blocks = blocks;
    this.#along = new TakenAlong(inner, lease, blocks, leaseMs);
  }

  /**
   * Returns the blocks of this holder's earlier process to the database; continues with them if that is unreachable.
   * @throws LedgerUnavailable if there is neither a database nor a block
   */
  static async open(
    inner: Bookings,
    {
      lease,
      blocks,
      leaseMs,
    }: { readonly lease: Lease; readonly blocks: LeasedBlocks; readonly leaseMs: number },
  ): Promise<LeasedBookings> {
    const bookings = new LeasedBookings(inner, lease, blocks, leaseMs);
    const [left] = blocks.all;
    if (left) lease.adopt(left.fence);
    try {
      await bookings.#along.rejoin();
      await lease.fence();
    } catch (error) {
      const isUsable = blocks.all.some(({ leaseEnds }) => leaseEnds > Date.now());
      if (!(error instanceof LedgerAway) || !isUsable) throw error;
    }
    return bookings;
  }

  async ask(
    account: string,
    ask: SlotRequest,
    shares: Shares,
    now: number,
  ): Promise<Grant<{ readonly held: Held }>> {
    try {
      const granted = await this.#inner.ask(account, ask, shares, now);
      if (granted.verdict === 'run') this.#along.hold(granted.held);
      await this.#along.provide(account, ask, shares, now).catch(ignoreError);
      return granted;
    } catch (error) {
      this.#along.noteDoubt(error);
      const held = await this.#partOf(account, ask.cost, error);
      return { verdict: 'run', credit: ask.credit, held };
    }
  }

  async reserve(account: string, cost: number): Promise<Held> {
    try {
      const held = await this.#inner.reserve(account, cost);
      this.#along.hold(held);
      return held;
    } catch (error) {
      this.#along.noteDoubt(error);
      return this.#partOf(account, cost, error);
    }
  }

  async leave(held: Held): Promise<string> {
    if (held.id < 0) return this.#blocks.leave(held.id);
    try {
      return await this.#inner.leave(held);
    } catch (error) {
      // The transaction may have been kept or not: the next lease settles its flight.
      this.#along.noteDoubt(error);
      const { id } = await this.#partOf(held.account, 1, error);
      try {
        return this.#blocks.leave(id);
      } finally {
        this.#blocks.end(id);
      }
    }
  }

  async land(account: string, landed: Landed): Promise<void> {
    if (isLocal(landed.id)) return this.#blocks.land(account, landed.quota);
    try {
      await this.#inner.land(account, landed);
    } catch (error) {
      this.#along.noteDoubt(error);
      throw error;
    }
  }

  noteAnswer(account: string, seen: SeenQuota): Promise<void> {
    return this.#inner.noteAnswer(account, seen);
  }

  claimReport(account: string, name: string, isOver: boolean): Promise<boolean> {
    return this.#inner.claimReport(account, name, isOver);
  }

  leaveInBulk(held: Held): Promise<string> {
    return this.#inner.leaveInBulk(held);
  }

  landInBulk(account: string, landed: Landed, unsent: number): Promise<void> {
    return this.#inner.landInBulk(account, landed, unsent);
  }

  async giveBack(held: Held): Promise<void> {
    if (held.id < 0) return this.#blocks.end(held.id);
    this.#along.letGo(held);
    await this.#inner.giveBack(held);
  }

  /** Resolves to the last known view while the database is unreachable. */
  async readView(account: string): Promise<AccountView> {
    try {
      const view = await this.#inner.readView(account);
      this.#views.set(account, view);
      return view;
    } catch (error) {
      if (!(error instanceof LedgerAway)) throw error;
      return this.#views.get(account) ?? { ledger: newLedger, reserved: 0, others: 0, othersPace: 0 };
    }
  }

  /** Resolves to false while the database is unreachable. */
  async hasOtherHolders(held: Held): Promise<boolean> {
    if (held.id < 0) return false;
    return this.#inner.hasOtherHolders(held).catch((error: unknown) => {
      if (error instanceof LedgerAway) return false;
      throw error;
    });
  }

  events(account: string, after: number): Promise<NumberedEvent[]> {
    return this.#inner.events(account, after);
  }

  /** Returns the blocks that it can; the next process returns or spends the rest. */
  async close(): Promise<void> {
    try {
      await this.#along.returnAll();
    } catch (error) {
      ignoreError(error);
    }
    await this.#inner.close();
  }

  /** Grants a part of a block, but only after others have counted the block as sent because of the silence. */
  async #partOf(account: string, cost: number, error: unknown): Promise<Held> {
    if (!(error instanceof LedgerAway) || !this.#blocks.of(account)) throw error;
    await this.#lease.awaitSilence();
    const id = this.#blocks.part(account, cost);
    if (id === undefined) throw error;
    return { id, account };
  }
}

function ignoreError(error: unknown): void {
  if (!(error instanceof LedgerUnavailable)) throw error;
}
