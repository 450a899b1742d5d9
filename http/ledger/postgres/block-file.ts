import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../files/write-files.ts';
import { LedgerUnavailable } from '../ledger-store.ts';

/** Requests of an account that were granted in advance, for times when its ledger is unreachable. */
export type LeasedBlock = {
  readonly account: string;
  /** The fence of its lease. */
  readonly fence: string;
  readonly id: number;
  readonly size: number;
  readonly used: number;
  /** The ends of the lease and of the month, in Unix ms by this machine's clock. */
  readonly leaseEnds: number;
  readonly monthEnds: number;
};

/**
 * Keeps a holder's leased blocks, so that its next process neither loses nor doubles them. No other holder writes the
 * file.
 */
export class BlockFile {
  readonly #path: string;
  readonly #place: string;

  /** @param place of the database: blocks of another database are ignored */
  constructor(path: string, place: string) {
    this.#path = path;
    this.#place = place;
  }

  /** Returns no blocks if the file is missing or unreadable. */
  read(): readonly LeasedBlock[] {
    try {
      const { place, blocks } = JSON.parse(readFileSync(this.#path, 'utf8'));
      return place === this.#place && Array.isArray(blocks) ? blocks : [];
    } catch {
      return [];
    }
  }

  /** Returns once the blocks are on the disk. @throws LedgerUnavailable */
  write(blocks: readonly LeasedBlock[]): void {
    try {
      makeFolder(dirname(this.#path), 0o700);
      const draft = `${this.#path}.tmp`;
      const text = JSON.stringify({ place: this.#place, blocks });
      writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
      renameSync(draft, this.#path);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new LedgerUnavailable(`${this.#path}: what was leased cannot be kept here: ${why}`, {
        cause: error,
      });
    }
  }
}
