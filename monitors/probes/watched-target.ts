import type { KeyAccount } from '@candleproof/client/ledger/account';
import type { Client } from '@candleproof/client/send/client';
import type { Baseline } from '@candleproof/law/judge/baseline';
import type { Shares } from '@candleproof/law/planning/allowance';
import type { TargetFacts } from '@candleproof/law/reading/exchange';

/** A target with all that its probes need. */
export type WatchedTarget = {
  /** Never the key's sole user: only the ledger knows what others spent. */
  readonly facts: TargetFacts & { readonly soleUser: false };
  /** Absent if the target is requested without a key. */
  readonly key?: {
    /** The name of the account: a key that is used at two addresses has two. */
    readonly name: string;
    readonly text: string;
    readonly shares: Shares;
    /** Absent if no ledger can be kept. */
    readonly account?: KeyAccount;
    /** Others use it as well: what they spend is no news. */
    readonly isShared?: boolean;
    /** Its requests are booked, and not bounded by what its month leaves. */
    readonly allowOverage?: boolean;
  };
  readonly baseline?: Baseline;
  /** As a command line names it. */
  readonly words: string;
  /** It is trusted by an authority that its owner named. */
  readonly ownAuthority?: boolean;
  /** True if its network may be reset and then have another history, as test networks are. */
  readonly mayReset: boolean;
  /** A separate client for each probe: between slots its connection closes, so that each slot begins cold. */
  connect(): Pick<Client, 'send' | 'close'>;
  /** Before the same is requested again, in ms. */
  readonly pauseMs: number;
  /** Longest that one request may take, in ms. */
  readonly patienceMs: number;
};
