import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { OneLineError, UsageError, unwritableError } from './usage-error.ts';
import { draftPath, makeFolder, nameFlag, removeDraft } from './write-files.ts';

/** A file to write that a flag names. */
export type NamedFile = {
  readonly flag: string;
  readonly file: string;
  /** Permissions of the new file, less the umask. */
  readonly mode?: number;
  /** True if an existing file may be replaced: by --force, or since the run has read it and knows its form. */
  readonly mayReplace?: boolean;
  /** The identities of the files that this run reads: they are never replaced. */
  readonly inputs?: ReadonlySet<string>;
  /** Returns whether the text of an existing file was left by a process of ours that has ended: it is replaced. */
  readonly isLeftBehind?: (text: string) => boolean;
};

/** Returns what two names of one regular file share, links included; undefined for anything else. */
export function identifyFile(file: string | number): string | undefined {
  try {
    const found =
      typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true });
    return found.isFile() ? `${found.dev}:${found.ino}` : undefined;
  } catch {
    return undefined;
  }
}

/** Refuses a file that `openNamedFile` would refuse, before the work whose result it takes. Throws a UsageError. */
export function requireWritable(named: NamedFile): void {
  naming(named, () => {
    let folder = dirname(findPlace(named));
    while (!existsSync(folder)) folder = dirname(folder);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    accessSync(folder, constants.W_OK);
  });
}

/** A file that appears under its name, whole, when it is kept; it is kept or dropped, once. */
export type OpenFile = { write(text: string): void; keep(): void; drop(): void };

/**
 * Opens the file that a flag names under a temporary name beside it. Only a regular file is ever replaced, and of a
 * link that to which it leads: never an input of the run, and an existing file only if that is allowed. Throws a
 * UsageError with the flag, as do its methods.
 */
export function openNamedFile(named: NamedFile): OpenFile {
  const { draft, descriptor } = naming(named, () => openDraft(named));
  return {
    write: (text) => naming(named, () => writeWhole(descriptor, Buffer.from(text))),
    keep: () =>
      naming(named, () => {
        fsyncSync(descriptor);
        renameSync(draft, findPlace(named));
        closeSync(descriptor);
      }),
    drop: () => {
      closeSync(descriptor);
      removeDraft(draft);
    },
  };
}

/** Writes the file that a flag names, whole or not at all. Throws a UsageError with the flag. */
export function writeNamedFile(named: NamedFile, text: string): void {
  const file = openNamedFile(named);
  try {
    file.write(text);
    file.keep();
  } catch (error) {
    file.drop();
    throw error;
  }
}

/** Writes it in the same way from parts of its text; errors of the parts pass through. */
export async function writeNamedParts(named: NamedFile, parts: AsyncIterable<string>): Promise<void> {
  const file = openNamedFile(named);
  try {
    let kept = '';
    for await (const part of parts) {
      kept += part;
      if (kept.length < partLength) continue;
      file.write(kept);
      kept = '';
    }
    file.write(kept);
    file.keep();
  } catch (error) {
    file.drop();
    throw error;
  }
}

/** Characters that are written at once. */
const partLength = 1 << 16;

function openDraft(named: NamedFile): { draft: string; descriptor: number } {
  const folder = dirname(findPlace(named));
  makeFolder(folder);
  const draft = draftPath(folder);
  return { draft, descriptor: openSync(draft, 'wx', named.mode ?? 0o666) };
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

/** Returns the path to write: of a link, the regular file to which it leads. Throws a UsageError for anything else. */
function findPlace(named: NamedFile): string {
  const { flag, file, isLeftBehind } = named;
  if (file === '') throw unwritableError(file, { code: 'ENOENT' });
  // Only a file that is read first comes here with this name.
  if (file === '-')
    throw new UsageError(
      `${flag}: - is standard output, and this file is read before it is written; name a file`,
    );
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return resolve(file);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) {
    const kind =
      found === undefined ? 'a link to nothing' : found.isDirectory() ? 'a folder' : 'no regular file';
    throw new UsageError(`${flag}: ${file} is ${kind}; name a file`);
  }
  if (found.size > mostLeftBehind || !isLeftBehind?.(readFileSync(file, 'utf8'))) refuseExisting(named);
  return realpathSync(file);
}

/** Bytes of a file that our processes leave behind, at most. */
const mostLeftBehind = 1 << 16;

function refuseExisting({ flag, file, inputs, mayReplace }: NamedFile): void {
  if (inputs?.has(identifyFile(file) ?? ''))
    throw new UsageError(`${flag}: ${file} is read by this command and would be lost; name another file`);
  if (!mayReplace)
    throw new UsageError(`${flag}: ${file} is there already; name another file, or replace it with --force`);
}

/** Runs work on a named file; throws a UsageError with its flag if the file system refuses it. */
function naming<T>({ flag, file }: NamedFile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw nameFlag(flag, error instanceof OneLineError ? error : unwritableError(file, error));
  }
}
