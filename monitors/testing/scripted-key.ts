import { join } from 'node:path';
import { type Ledgers, openLedgers } from '@candleproof/client/ledger/ledgers';
import type { Shares } from '@candleproof/law/planning/allowance';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import type { KeyFacts } from '../plan/plan.ts';
import type { Clock } from '../probes/clock.ts';
import type { WatchedTarget } from '../probes/watched-target.ts';

/** A key with a real ledger, in the file of a folder. */
export class ScriptedKey {
  readonly key: NonNullable<WatchedTarget['key']>;
  readonly #ledgers: Ledgers;
  readonly #name: string;

  private constructor(ledgers: Ledgers, shares: Shares, name: string) {
    this.#ledgers = ledgers;
    this.#name = name;
    this.key = { name, text: 'k'.repeat(32), shares, account: this.#ledgers.account(name) };
  }

  static async open(folder: string, clock: Clock, shares: Shares, name = 'main'): Promise<ScriptedKey> {
    const file = join(folder, 'ledger.db');
    return new ScriptedKey(
      await openLedgers(file, { readQuota: readOurQuota, now: clock.now }),
      shares,
      name,
    );
  }

  /** Returns the facts of the key as a composer of a monitor states them. */
  async facts(now: number, targets: readonly string[]): Promise<KeyFacts[]> {
    const { shares, account } = this.key;
    const month = await account?.month(now);
    return [{ name: this.#name, shares, targets, account: month }];
  }

  close(): Promise<void> {
    return this.#ledgers.close();
  }
}
