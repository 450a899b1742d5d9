import type { Soon } from '../soon.ts';
import type { KeyBook, UsageBook } from './accounts.ts';
import type { ChangeCounts, HeldMonth, MarketChange, MarketState } from './market-change.ts';
import type { MarketView } from './market-view.ts';

/** Names that the operator switched on; each process of the store hears of a change within a second. */
export type Switches = {
  /** Undefined until somebody switched anything. */
  read(): Promise<readonly string[] | undefined>;
  write(names: readonly string[]): Promise<void>;
  onChange(changed: () => void): void;
};

/** Everything the service keeps, wherever that is. Several processes may use one. */
export type Store = {
  readonly keys: KeyBook;
  readonly usage: UsageBook;
  /**
   * What `work` makes of the market, all as of one version. It may be run again from its beginning until all that it
   * reads is there, so that it changes nothing. Throws what it does.
   */
  read<Result>(work: (market: MarketView) => Result): Soon<Result>;
  /** The market's state, outside of any change. */
  state(): Soon<MarketState>;
  /** Keeps the change that `work` makes of the state, whole or not at all, while no other process changes anything. */
  change(work: (state: MarketState) => MarketChange | undefined): Soon<ChangeCounts>;
  /** The months of which samples from before an instant (Unix seconds) are held, the eldest first. */
  heldBefore(instant: number): Soon<HeldMonth[]>;
  /** Runs `work` while no other process runs any. */
  alone<Result>(work: () => Soon<Result>): Soon<Result>;
  /** What the operator switched on for all processes, where several share it. */
  readonly switches?: Switches;
  /** Why nothing can be answered from it just now; undefined where it can. */
  unready(): string | undefined;
  /** Writes what is not written yet and lets go of it. */
  close(): Soon<void>;
};
