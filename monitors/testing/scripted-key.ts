import { join } from 'node:path';
import { quotaOf } from '../../contract/quota.ts';
import { type Ledgers, openLedgers } from '../../http/ledger/ledgers.ts';
import type { Shares } from '../../planning/allowance.ts';
import type { Clock } from '../clock.ts';
import type { KeyFacts } from '../plan.ts';
import type { WatchedTarget } from '../watched-target.ts';

/** A key with a real ledger, in the file of a folder. */
export class ScriptedKey {
  readonly key: NonNullable<WatchedTarget['key']>;
  readonly #ledgers: Ledgers;
  readonly #name: string;

  constructor(folder: string, clock: Clock, shares: Shares, name = 'main') {
    this.#ledgers = openLedgers(join(folder, 'ledger.db'), { readQuota: quotaOf, now: clock.now });
    this.#name = name;
    this.key = { name, text: 'k'.repeat(32), shares, account: this.#ledgers.account(name) };
  }

  /** As whoever composes a monitor tells it. */
  facts(now: number, targets: readonly string[]): KeyFacts[] {
    const { shares, account } = this.key;
    const month = account?.month(now);
    return [{ name: this.#name, shares, targets, ...(month && { account: month }) }];
  }

  close(): void {
    this.#ledgers.close();
  }
}
