import type { Soon } from '../soon.ts';
import type { KeyBook, UsageBook } from './accounts.ts';
import type { ChangeCounts, HeldMonth, MarketChange, MarketState, MarketView } from './stored-market.ts';

/** The names of faults that the operator turned on. Every process is notified of a change within a second. */
export type Switches = {
  /** Returns undefined until an operator has switched any. */
  read(): Promise<readonly string[] | undefined>;
  write(names: readonly string[]): Promise<void>;
  onChange(changed: () => void): void;
};

/** Everything that a service stores. Several processes can share it. */
export type Store = {
  readonly keys: KeyBook;
  readonly usage: UsageBook;
  /**
   * Runs `work` on one version of the market. `work` may run several times, until everything that it reads is loaded, so
   * it must not have side effects. Throws what `work` throws.
   */
  read<Result>(work: (market: MarketView) => Result): Soon<Result>;
  /** Returns the market's current state. */
  state(): Soon<MarketState>;
  /** Applies the change that `work` makes of the state, atomically and with no concurrent change by another process. */
  change(work: (state: MarketState) => MarketChange | undefined): Soon<ChangeCounts>;
  /** Returns the months with stored samples before a time (Unix seconds), oldest first. */
  listMonthsBefore(instant: number): Soon<HeldMonth[]>;
  /** Runs `work` under a lock that all processes share. */
  runExclusively<Result>(work: () => Soon<Result>): Soon<Result>;
  /** Switches for all processes, if several can share the store. */
  readonly switches?: Switches;
  /** Returns the reason why the store cannot answer, or undefined. */
  unreadyReason(): string | undefined;
  /** Writes pending data and closes the store. */
  close(): Soon<void>;
};
