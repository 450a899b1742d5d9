import { join } from 'node:path';
import { ownQuota } from '../../contract/worlds/own-quota.ts';
import { type Ledgers, openLedgers } from '../../http/ledger/ledgers.ts';
import type { Shares } from '../../planning/allowance.ts';
import type { KeyFacts } from '../plan/plan.ts';
import type { WatchedTarget } from '../probes/watched-target.ts';
import type { Clock } from '../slots/clock.ts';

/** A key with a real ledger, in the file of a folder. */
export class ScriptedKey {
  readonly key: NonNullable<WatchedTarget['key']>;
  readonly #ledgers: Ledgers;
  readonly #name: string;

  constructor(folder: string, clock: Clock, shares: Shares, name = 'main') {
    this.#ledgers = openLedgers(join(folder, 'ledger.db'), { readQuota: ownQuota, now: clock.now });
    this.#name = name;
    this.key = { name, text: 'k'.repeat(32), shares, account: this.#ledgers.account(name) };
  }

  /** As anyone who composes a monitor tells it. */
  facts(now: number, targets: readonly string[]): KeyFacts[] {
    const { shares, account } = this.key;
    const month = account?.month(now);
    return [{ name: this.#name, shares, targets, ...(month && { account: month }) }];
  }

  close(): void {
    this.#ledgers.close();
  }
}
