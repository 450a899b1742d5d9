/** An error that needs no stack: its message is one line with the place and the remedy; the command exits with 2. */
export class OneLineError extends Error {
  override readonly name: string = 'OneLineError';
  /** The way out, if the message does not say it. */
  readonly remedy: string | undefined;
}

/** A mistake of ours or of the caller. */
export class UsageError extends OneLineError {
  override readonly name = 'UsageError';
}

/** A file or folder that cannot be written; the message is one line with its path, the reason and the remedy. */
export class UnwritableFile extends OneLineError {
  override readonly name = 'UnwritableFile';
}

const makeRoom = 'make room on it, or give another place';
const known: Readonly<Record<string, { readonly why: string; readonly mend?: string }>> = {
  ENOSPC: { why: 'its disk is full', mend: makeRoom },
  EDQUOT: { why: "this user's share of its disk is full", mend: makeRoom },
  EEXIST: { why: 'something of this name is there already', mend: 'give another' },
  ENOTDIR: { why: 'a file is in the way' },
};

/** Makes the error for a path that cannot be written, with its reason and remedy. */
export function unwritableError(path: string, error: unknown): UnwritableFile {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const { why, mend = 'give one that can' } = known[code] ?? {};
  const reason = why === undefined ? ` (${code || message})` : `: ${why} (${code})`;
  return new UnwritableFile(`${path || '(empty)'} cannot be written${reason}; ${mend}`, { cause: error });
}
