import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UnwritableFile, UsageError, unwritableError } from './usage-error.ts';

/**
 * Writes files into a folder that may hold others. Each is written whole under a temporary name and then renamed, so
 * that a reader never sees a partial file. If writing fails, the old files stay; if renaming fails, as in a folder that is
 * removed meanwhile, earlier ones may be new already. Each has the given mode, less the umask,
 * regardless of the old file's; its content may come in pieces. Throws UnwritableFile.
 */
export function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array | Iterable<string>>>,
  mode = 0o666,
): void {
  const drafts = new Map<string, string>();
  let path = folder;
  try {
    makeFolder(folder);
    for (const [name, content] of Object.entries(files)) {
      path = join(folder, name);
      const draft = draftPath(folder);
      drafts.set(path, draft);
      const descriptor = openSync(draft, 'wx', mode);
      try {
        const isWhole = typeof content === 'string' || content instanceof Uint8Array;
        for (const piece of isWhole ? [content] : content) writeFileSync(descriptor, piece);
      } finally {
        closeSync(descriptor);
      }
    }
    for (const [target, draft] of drafts) {
      path = target;
      renameSync(draft, target);
    }
  } catch (error) {
    throw unwritableError(path, error);
  } finally {
    for (const draft of drafts.values()) removeDraft(draft);
  }
}

/** Removes a draft; if that fails too, the earlier error explains more. */
export function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Its folder is not a folder.
  }
}

/**
 * Returns a random name, under which no one can place a link in advance; opening it exclusively follows none either.
 */
export function draftPath(folder: string): string {
  // Loaded here, since it takes four megabytes of every command, and many write no file.
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  return join(folder, `.candleproof-${randomBytes(8).toString('hex')}.tmp`);
}

/** Removes the drafts that a killed process left in a folder, into which nobody else may be writing. */
export function removeLeftDrafts(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^\.candleproof-[0-9a-f]{16}\.tmp$/.test(name)) removeDraft(join(folder, name));
}

/** Makes a folder and its missing parents, one by one: mkdir's recursion never ends on some file systems. */
export function makeFolder(folder: string, mode = 0o777): void {
  const path = resolve(folder);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** The mode of a file with a secret. */
export const ownerOnly = 0o600;

/**
 * Removes access to an existing file for all but its owner; leaves the target of a link unchanged. Throws
 * UnwritableFile.
 */
export function restrictToOwner(file: string): void {
  if (lstatSync(file).isSymbolicLink()) return;
  try {
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    if ((fstatSync(descriptor).mode & 0o077) !== 0) fchmodSync(descriptor, ownerOnly);
    closeSync(descriptor);
  } catch (error) {
    throw unwritableError(file, error);
  }
}

/** Runs work that writes the files of a flag; throws a UsageError with the flag if one cannot be written. */
export function writeNamed<T>(flag: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw nameFlag(flag, error);
  }
}

/** Writes files into the folder of a flag, as writeFiles does; throws a UsageError with the flag. */
export function writeNamedFiles(flag: string, ...given: Parameters<typeof writeFiles>): void {
  writeNamed(flag, () => writeFiles(...given));
}

/** Turns an UnwritableFile into a UsageError with the flag; returns any other error as it is. */
export function nameFlag(flag: string, error: unknown): unknown {
  return error instanceof UnwritableFile ? new UsageError(`${flag}: ${error.message}`) : error;
}

/** Makes the folder of a flag before any request: a run whose result cannot be stored does not begin. */
export function makeOutputFolder(out: string, flag = '--out'): void {
  if (/\.(html?|json|xml|md|csv|har|txt|zip)$/i.test(out) && !existsSync(out))
    throw new UsageError(
      `${flag}: ${out} is the name of a file: give a folder, such as ${dirname(out)}/report`,
    );
  writeNamed(flag, () => {
    try {
      makeFolder(out);
      accessSync(out, constants.W_OK);
    } catch (error) {
      throw unwritableError(out, error);
    }
  });
}
