import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../../files/write-files.ts';

/** A person's words about an alert, a target or an incident; `at` in Unix ms. */
export type Remark = {
  readonly at: number;
  /** The id of an alert or an incident, or the name of a target. */
  readonly about: string;
  readonly text: string;
  readonly by: string;
  /** True if somebody has taken the alert: no reminder follows until something is new. */
  readonly isAcknowledged: boolean;
};

/** Leaves a remark in a data folder for its monitor, which alone writes the store. */
export function leaveRemark(dataDir: string, remark: Remark): void {
  writeFiles(join(dataDir, 'remarks'), { [`${remark.at}-${randomUUID()}.json`]: JSON.stringify(remark) });
}

/** The remarks that were left in a data folder and are not taken yet. */
export class RemarkBox {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'remarks');
  }

  /** Passes the remarks, oldest first, to `take` and forgets them once it resolves. */
  async empty(take: (remarks: readonly Remark[]) => Promise<void>): Promise<void> {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : [];
    const left = names.filter((name) => name.endsWith('.json')).toSorted();
    if (left.length === 0) return;
    await take(left.flatMap((name) => parseRemark(readFileSync(join(this.#folder, name), 'utf8'))));
    for (const name of left) rmSync(join(this.#folder, name), { force: true });
  }
}

function parseRemark(text: string): Remark[] {
  try {
    const remark: Partial<Remark> = JSON.parse(text);
    const { at, about, text: said, by, isAcknowledged = false } = remark;
    const isWhole = typeof at === 'number' && [about, said, by].every((part) => typeof part === 'string');
    return isWhole ? [{ at, about: `${about}`, text: `${said}`, by: `${by}`, isAcknowledged }] : [];
  } catch {
    // A file that somebody else put there.
    return [];
  }
}
