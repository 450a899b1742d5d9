import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { writeFiles } from '../../files/write-files.ts';
import { writing } from '../words/writing.ts';

/** The folder of a site; paths are below it, with `/` between their parts. */
export class SiteFolder {
  readonly folder: string;
  #written = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** How many files were written, the unchanged ones left out. */
  get written(): number {
    return this.#written;
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  /** The text of a file; undefined where there is none. */
  read(path: string): string | undefined {
    try {
      return readFileSync(join(this.folder, path), 'utf8');
    } catch {
      return undefined;
    }
  }

  /** Names in a folder, in order; none where there is no folder. */
  list(path: string): string[] {
    try {
      return readdirSync(join(this.folder, path)).sort();
    } catch {
      return [];
    }
  }

  /** Writes a file unless it is as it should be. Throws a UsageError with the flag. */
  put(path: string, text: string): void {
    if (this.read(path) === text) return;
    writing('--site', () => writeFiles(join(this.folder, dirname(path)), { [posix.basename(path)]: text }));
    this.#written += 1;
  }
}
