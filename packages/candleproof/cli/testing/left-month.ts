import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountId } from '@candleproof/client/ledger/ledger-store';
import { openLedgers } from '@candleproof/client/ledger/ledgers';
import { createClient } from '@candleproof/client/send/client';
import { flagsFor, type Ready } from '@candleproof/command/command';
import { readOurQuota } from '@candleproof/law/worlds/our-quota';
import { type RunningTarget, startTarget } from './target.ts';

const limit = 1000;

/** A service whose key has few requests left, and a ledger for the commands that use it. */
export class LeftMonth {
  readonly folder: string;
  readonly left: number;
  readonly #target: RunningTarget;
  #requested = 0;

  private constructor(folder: string, left: number, target: RunningTarget) {
    this.folder = folder;
    this.left = left;
    this.#target = target;
  }

  static async start(folder: string, left: number): Promise<LeftMonth> {
    return new LeftMonth(folder, left, await startTarget(folder, { quota: { limit, remaining: left } }));
  }

  get ready(): Ready {
    return this.#target.ready;
  }

  get key(): string {
    return readFileSync(this.ready.apiKeyFile, 'utf8').trim();
  }

  get ledger(): string {
    return join(this.folder, 'state', 'ledger.db');
  }

  /** The environment of a command that books in the ledger. */
  get env(): Record<string, string> {
    return { CANDLEPROOF_STATE_DIR: join(this.folder, 'state') };
  }

  get flags(): string[] {
    return flagsFor(this.ready);
  }

  /** Tells the ledger what is left, as an answer to an earlier command would. */
  async makeKnown(): Promise<void> {
    const ledgers = await openLedgers(this.ledger, { readQuota: readOurQuota });
    const now = new Date();
    const reset = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - 1;
    const quota = { limit, remaining: this.left, additional: 0, reset };
    await ledgers.account(accountId(this.ready.url, this.key)).noteAnswer({ quota });
    await ledgers.close();
  }

  /** Returns how many requests with the key the service has counted, by its counters; each call takes one more. */
  async counted(): Promise<number> {
    const client = createClient({
      ...{ baseUrl: this.ready.url, apiKey: this.key, ca: readFileSync(this.ready.caFile, 'utf8') },
      ...{ version: 'test', longestWaitMs: 5000 },
      deadlines: { connectMs: 5000, headersMs: 5000, bodyMs: 5000 },
    });
    const quota = readOurQuota(await client.send({ path: '/tokens', credential: 'api-key' }));
    await client.close();
    this.#requested += 1;
    return quota ? this.left - quota.remaining + quota.additional - this.#requested : Number.NaN;
  }

  async stop(): Promise<void> {
    await this.#target.stop();
  }
}
