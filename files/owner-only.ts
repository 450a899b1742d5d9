import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync } from 'node:fs';
import { unwritable } from './unwritable-file.ts';

/** The mode of what holds a secret. */
export const ownerOnly = 0o600;

/**
 * Takes the right to a file that is there already from everybody but its owner; what a link leads to is not ours to
 * change. Throws UnwritableFile.
 */
export function narrow(file: string): void {
  if (lstatSync(file).isSymbolicLink()) return;
  try {
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    if ((fstatSync(descriptor).mode & 0o077) !== 0) fchmodSync(descriptor, ownerOnly);
    closeSync(descriptor);
  } catch (error) {
    throw unwritable(file, error);
  }
}
