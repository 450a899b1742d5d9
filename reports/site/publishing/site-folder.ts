import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { UsageError } from '../../../files/usage-error.ts';
import { writeFiles, writeNamed } from '../../../files/write-files.ts';
import { readPiece, type SitePieces } from './site-pieces.ts';

/** The folder of a site; paths are below it, with `/` between their parts. */
export class SiteFolder {
  readonly folder: string;
  readonly #bad = new Map<string, string>();
  readonly #plain = new Set<string>();
  #written = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The number of files written, without unchanged ones. */
  get written(): number {
    return this.#written;
  }

  /** Pieces of the site that are left out, each by its path with what is wrong in it. */
  get bad(): ReadonlyMap<string, string> {
    return this.#bad;
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

  /** A piece of the site as its schema has it; undefined where there is none, or a bad one, which is then remembered. */
  piece<Kind extends keyof SitePieces>(kind: Kind, path: string): SitePieces[Kind] | undefined {
    const text = this.read(path);
    const read = text === undefined ? undefined : readPiece(kind, text);
    if (read && 'wrong' in read) this.leaveOut(path, read.wrong);
    return read && 'piece' in read ? read.piece : undefined;
  }

  /** Remembers a piece that is left out, with the first that was wrong in it. */
  leaveOut(path: string, wrong: string): void {
    if (!this.#bad.has(path)) this.#bad.set(path, wrong);
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
    this.#refuseLinks(dirname(path));
    writeNamed('--site', () =>
      writeFiles(join(this.folder, dirname(path)), { [posix.basename(path)]: text }),
    );
    this.#written += 1;
  }

  /** A folder of the site that is a link leads to what is not the site's. */
  #refuseLinks(path: string): void {
    if (path === '.' || this.#plain.has(path)) return;
    this.#refuseLinks(dirname(path));
    const folder = join(this.folder, path);
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new UsageError(`--site: ${folder} is a link, and nothing is written through it: take it away`);
    this.#plain.add(path);
  }
}
