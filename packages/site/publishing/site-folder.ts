import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { UsageError } from '@candleproof/files/usage-error';
import { writeFiles, writeNamed } from '@candleproof/files/write-files';
import { readPiece, type SitePieces } from './site-pieces.ts';

/** The folder of a site; paths are relative to it, with `/` between their parts. */
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

  /** Omitted pieces of the site, by path, each with the error in it. */
  get bad(): ReadonlyMap<string, string> {
    return this.#bad;
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  /** Returns the text of a file; undefined if there is none. */
  read(path: string): string | undefined {
    try {
      return readFileSync(join(this.folder, path), 'utf8');
    } catch {
      return undefined;
    }
  }

  /** Returns a piece of the site that matches its schema; undefined if it is missing or bad. Records a bad one. */
  piece<Kind extends keyof SitePieces>(kind: Kind, path: string): SitePieces[Kind] | undefined {
    const text = this.read(path);
    const read = text === undefined ? undefined : readPiece(kind, text);
    if (read && 'wrong' in read) this.leaveOut(path, read.wrong);
    return read && 'piece' in read ? read.piece : undefined;
  }

  /** Records an omitted piece with its first error. */
  leaveOut(path: string, wrong: string): void {
    if (!this.#bad.has(path)) this.#bad.set(path, wrong);
  }

  /** Returns the sorted names in a folder; empty if there is no folder. */
  list(path: string): string[] {
    try {
      return readdirSync(join(this.folder, path)).sort();
    } catch {
      return [];
    }
  }

  /** Writes a file unless its content is unchanged. Throws a UsageError with the flag. */
  put(path: string, content: string | Uint8Array): void {
    const kept = this.has(path) ? readFileSync(join(this.folder, path)) : undefined;
    if (kept?.equals(Buffer.from(content as string))) return;
    this.#refuseLinks(dirname(path));
    writeNamed('--site', () =>
      writeFiles(join(this.folder, dirname(path)), { [posix.basename(path)]: content }),
    );
    this.#written += 1;
  }

  /** Refuses a folder that is a link, since it leads outside the site. */
  #refuseLinks(path: string): void {
    if (path === '.' || this.#plain.has(path)) return;
    this.#refuseLinks(dirname(path));
    const folder = join(this.folder, path);
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new UsageError(`--site: ${folder} is a link, and nothing is written through it: take it away`);
    this.#plain.add(path);
  }
}
