import type { QuotaAnswer } from '../../../planning/ledger-entry.ts';
import { countUsage } from '../../../planning/ledger-entry.ts';
import { LedgerAway, ReservationSpent } from '../ledger-store.ts';
import type { BlockFile, LeasedBlock } from './block-file.ts';
import type { Lease } from './lease.ts';

/** A granted part of a block. */
type Part = { readonly account: string; left: number };

type Spent = { underWay: number; quota?: QuotaAnswer | undefined };

/** Spends one holder's blocks while the ledger is unreachable; each request is written down before it leaves. */
export class LeasedBlocks {
  readonly #file: BlockFile;
  readonly #lease: Lease;
  readonly #now: () => number;
  readonly #blocks = new Map<string, LeasedBlock>();
  readonly #spent = new Map<string, Spent>();
  readonly #parts = new Map<number, Part>();
  readonly #sealed = new Set<string>();
  #names = 0;

  constructor(file: BlockFile, lease: Lease, now: () => number) {
    this.#file = file;
    this.#lease = lease;
    this.#now = now;
    for (const leasedBlock of file.read()) this.#blocks.set(leasedBlock.account, leasedBlock);
  }

  get all(): readonly LeasedBlock[] {
    return [...this.#blocks.values()];
  }

  of(account: string): LeasedBlock | undefined {
    return this.#blocks.get(account);
  }

  /** Returns the month with the highest usage that an answer to a request of the block reported. */
  quotaOf(account: string): QuotaAnswer | undefined {
    return this.#spent.get(account)?.quota;
  }

  add(block: Omit<LeasedBlock, 'leaseEnds' | 'used'>): void {
    this.#blocks.set(block.account, { ...block, used: 0, leaseEnds: this.#leaseEnds() });
    this.#write(this.all);
  }

  /**
   * Stops spending of a block that is about to be returned. After a crash, the next process finds it used up in the
   * file, because it may have been returned.
   */
  seal(account: string): void {
    this.#sealed.add(account);
    this.#write(this.all);
  }

  drop(account: string): void {
    this.#blocks.delete(account);
    this.#sealed.delete(account);
    this.#spent.delete(account);
    this.#write(this.all);
  }

  /** Extends the blocks after a renewal; rewrites the file only if the end has moved by a tenth of the lease. */
  prolong(): void {
    const leaseEnds = this.#leaseEnds();
    const [first] = this.#blocks.values();
    if (!first || leaseEnds - first.leaseEnds < (leaseEnds - Date.now()) / 10) return;
    for (const [account, block] of this.#blocks) this.#blocks.set(account, { ...block, leaseEnds });
    this.#write(this.all);
  }

  /** Returns whether no part of the block is granted, and none of its requests is in flight. */
  isIdle(account: string): boolean {
    const isParted = [...this.#parts.values()].some((part) => part.account === account);
    return !isParted && (this.#spent.get(account)?.underWay ?? 0) === 0;
  }

  /** Grants a part under a negative number; undefined if the block has less left, or has ended. */
  part(account: string, cost: number): number | undefined {
    const block = this.#blocks.get(account);
    if (!block || this.#sealed.has(account)) return undefined;
    if (this.#hasEnded(block) || this.#requestsLeft(block) < cost) return undefined;
    this.#names += 1;
    this.#parts.set(-this.#names, { account, left: cost });
    return -this.#names;
  }

  /** Takes one request off a part and writes it down as used. @throws ReservationSpent, LedgerUnavailable */
  leave(id: number): string {
    const part = this.#parts.get(id);
    const block = part && this.#blocks.get(part.account);
    if (!part || !block || part.left === 0)
      throw new ReservationSpent('A request beyond what was left of a leased block was not sent.');
    if (this.#hasEnded(block))
      throw new LedgerAway('The ledger is out of reach, and what was leased has ended.');
    const used = { ...block, used: block.used + 1 };
    this.#write(this.all.map((leasedBlock) => (leasedBlock === block ? used : leasedBlock)));
    this.#blocks.set(part.account, used);
    part.left -= 1;
    const spent = this.#spent.get(part.account) ?? { underWay: 0 };
    this.#spent.set(part.account, { ...spent, underWay: spent.underWay + 1 });
    this.#names += 1;
    return `${localName} ${this.#names}`;
  }

  land(account: string, quota: QuotaAnswer | undefined): void {
    const spent = this.#spent.get(account);
    if (!spent) return;
    const isMore = quota && (!spent.quota || countUsage(quota) > countUsage(spent.quota));
    this.#spent.set(account, {
      underWay: spent.underWay - 1,
      quota: isMore ? quota : spent.quota,
    });
  }

  end(id: number): void {
    this.#parts.delete(id);
  }

  #write(blocks: readonly LeasedBlock[]): void {
    this.#file.write(
      blocks.map((block) => (this.#sealed.has(block.account) ? { ...block, used: block.size } : block)),
    );
  }

  #requestsLeft(block: LeasedBlock): number {
    const parts = [...this.#parts.values()].filter((part) => part.account === block.account);
    return block.size - block.used - parts.reduce((sum, { left }) => sum + left, 0);
  }

  /** Uses the end in the file until the process has reached the database. */
  #hasEnded({ fence, leaseEnds, monthEnds }: LeasedBlock): boolean {
    const { leftMs: known, held } = this.#lease;
    const leftMs = Number.isFinite(known) ? known : leaseEnds - Date.now();
    return held !== fence || leftMs <= 0 || this.#now() >= monthEnds;
  }

  #leaseEnds(): number {
    return Math.floor(Date.now() + this.#lease.leftMs);
  }
}

const localName = 'local';

/** Returns whether a flight's name is that of a request from a block. */
export function isLocal(flight: string): boolean {
  return flight.startsWith(localName);
}
