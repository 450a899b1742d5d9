import { randomBytes } from 'node:crypto';
import { createWriteStream, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from './make-folder.ts';
import { unwritable } from './unwritable-file.ts';

/**
 * Puts files into a folder that may hold others. Each is written whole under a temporary name and then renamed, so
 * that a reader never sees half of one and a failure leaves the old ones. Each has the given mode, less the umask,
 * whatever an old one had. Throws UnwritableFile.
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>, mode = 0o666): void {
  const drafts = new Map<string, string>();
  let path = folder;
  try {
    makeFolder(folder);
    for (const [name, text] of Object.entries(files)) {
      path = join(folder, name);
      const draft = draftIn(folder);
      drafts.set(path, draft);
      writeFileSync(draft, text, { flag: 'wx', mode });
    }
    for (const [target, draft] of drafts) {
      path = target;
      renameSync(draft, target);
    }
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    for (const draft of drafts.values()) remove(draft);
  }
}

/** The same for one file whose text comes in parts; what the parts themselves throw passes through. */
export async function writeParts(target: string, parts: AsyncIterable<string>): Promise<void> {
  const draft = draftIn(dirname(target));
  try {
    await pipeline(Readable.from(parts), createWriteStream(draft, { flags: 'wx' }));
    renameSync(draft, target);
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unwritable(target, error) : error;
  } finally {
    remove(draft);
  }
}

/** Removes a draft; if even that fails, the error before tells more. */
function remove(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Its folder is none.
  }
}

/** Nobody can lay a link under a name that is not known before; opening it exclusively follows none either. */
function draftIn(folder: string): string {
  return join(folder, `.candleproof-${randomBytes(8).toString('hex')}.tmp`);
}
