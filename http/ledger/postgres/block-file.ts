import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../files/write-files.ts';
import { LedgerUnavailable } from '../ledger-store.ts';

/** Requests of an account that were granted in advance, for the time in which its ledger is unreachable. */
export type LeasedBlock = {
  readonly account: string;
  /** The fence of its lease. */
  readonly fence: string;
  readonly id: number;
  readonly size: number;
  readonly used: number;
  /** Unix ms by this machine's clock: when the lease has ended for us, and when the month has. */
  readonly leaseEnds: number;
  readonly monthEnds: number;
};

/**
 * Keeps the blocks that a holder has taken along, so that its next process neither forgets nor doubles them. Nobody
 * else writes the file.
 */
export class BlockFile {
  readonly #path: string;
  readonly #place: string;

  /** @param place of the database: blocks of another one are of no use */
  constructor(path: string, place: string) {
    this.#path = path;
    this.#place = place;
  }

  /** Nothing where there is no file, or none that can be read. */
  read(): readonly LeasedBlock[] {
    try {
      const { place, blocks } = JSON.parse(readFileSync(this.#path, 'utf8'));
      return place === this.#place && Array.isArray(blocks) ? blocks : [];
    } catch {
      return [];
    }
  }

  /** On the disk when it returns. @throws LedgerUnavailable */
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
