import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { ownerOnly } from './owner-only.ts';
import { unwritable } from './unwritable-file.ts';

/** A new file for its owner alone, open before there is what belongs into it; it is kept or dropped, once. */
export type NewFile = {
  /** The text is on the disk when it returns. Throws UnwritableFile. */
  keep(text: string): void;
  drop(): void;
};

/** Throws UnwritableFile, for a file or a link that is there already too. */
export function openNewFile(file: string): NewFile {
  const descriptor = guarded(file, () => openSync(file, 'wx', ownerOnly));
  return {
    keep: (text) =>
      guarded(file, () => {
        writeSync(descriptor, text);
        fsyncSync(descriptor);
        closeSync(descriptor);
      }),
    drop: () => {
      closeSync(descriptor);
      rmSync(file, { force: true });
    },
  };
}

function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unwritable(file, error);
  }
}
