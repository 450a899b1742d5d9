import type { Shares } from '../../../planning/allowance.ts';
import type { Bookings, Held, SlotRequest } from '../bookings.ts';
import { LedgerAway, LedgerUnavailable } from '../ledger-store.ts';
import type { LeasedBlock } from './block-file.ts';
import type { Lease } from './lease.ts';
import type { LeasedBlocks } from './leased-blocks.ts';

/**
 * Takes a holder's blocks, one for each account, and returns them. After any booking with an unknown outcome it takes
 * a new lease: the end of the old lease settles the doubt.
 */
export class TakenAlong {
  readonly #inner: Bookings;
  readonly #lease: Lease;
  readonly #blocks: LeasedBlocks;
  readonly #leaseMs: number;
  readonly #leastCosts = new Map<string, number>();
  readonly #providing = new Set<string>();
  /** Reservations that would become void with the lease under which they were granted. */
  readonly #inHand = new Set<number>();
  #isDoubtful: boolean;

  constructor(inner: Bookings, lease: Lease, blocks: LeasedBlocks, leaseMs: number) {
    this.#inner = inner;
    this.#lease = lease;
    this.#blocks = blocks;
    this.#leaseMs = leaseMs;
    this.#isDoubtful = blocks.all.length > 0;
    lease.onRenewed = (wasSilent) => this.#renewLease(wasSilent);
  }

  /** Notes a booking without an answer: if it was kept, only the end of the lease ends its reservation. */
  noteDoubt(error: unknown): void {
    this.#isDoubtful ||= error instanceof LedgerAway;
  }

  hold({ id }: Held): void {
    this.#inHand.add(id);
  }

  letGo({ id }: Held): void {
    this.#inHand.delete(id);
  }

  /** Takes a block for the duration of a lease if the account has none of this month; one at a time. */
  async provide(account: string, ask: SlotRequest, shares: Shares, now: number): Promise<void> {
    const least = Math.min(ask.cost, this.#leastCosts.get(account) ?? ask.cost);
    this.#leastCosts.set(account, least);
    const block = this.#blocks.of(account);
    if (!ask.pace || this.#isDoubtful || (block && now < block.monthEnds)) return;
    if (this.#providing.has(account)) return;
    this.#providing.add(account);
    try {
      if (block) await this.#return(block);
      const fence = await this.#lease.fence();
      const taken = await this.#inner.takeBlock(account, { ask, least, ms: this.#leaseMs }, shares, now);
      if (taken) this.#blocks.add({ account, fence, ...taken });
    } catch (error) {
      this.noteDoubt(error);
      throw error;
    } finally {
      this.#providing.delete(account);
    }
  }

  /** Returns all blocks and gives up the doubtful lease as soon as nothing of it is in use. */
  async rejoin(): Promise<void> {
    if (!this.#isDoubtful) return;
    for (const leasedBlock of this.#blocks.all) {
      if (this.#lease.held === leasedBlock.fence)
        await this.#inner.bookReturnedBlock(leasedBlock).catch(rethrowUnlessAway);
      if (this.#blocks.isIdle(leasedBlock.account)) await this.#return(leasedBlock);
    }
    if (this.#blocks.all.length > 0 || this.#inHand.size > 0) return;
    await this.#lease.giveUp();
    this.#isDoubtful = false;
  }

  /** Returns all blocks to the database. @throws LedgerUnavailable at the first that it cannot return */
  async returnAll(): Promise<void> {
    for (const leasedBlock of this.#blocks.all) await this.#return(leasedBlock);
  }

  async #renewLease(wasSilent: boolean): Promise<void> {
    this.#isDoubtful ||= wasSilent || this.#blocks.all.some(({ used }) => used > 0);
    if (this.#isDoubtful) await this.rejoin();
    else this.#blocks.prolong();
  }

  /** Returns a block; if its lease has ended, it already counts as spent. */
  async #return(block: LeasedBlock): Promise<void> {
    const { account, size, used, fence } = block;
    this.#blocks.seal(account);
    if (this.#lease.held === fence) {
      await this.#inner.bookReturnedBlock(block).catch(rethrowUnlessAway);
      await this.#inner.returnBlock(block, size - used, this.#blocks.quotaOf(account));
    }
    this.#blocks.drop(account);
  }
}

/** Ignores that a block's lease has ended; rethrows other errors. */
function rethrowUnlessAway(error: unknown): void {
  if (!(error instanceof LedgerUnavailable) || error instanceof LedgerAway) throw error;
}
