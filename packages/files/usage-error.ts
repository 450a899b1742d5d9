/**
 * An error that needs no stack. The command prints one line, `message; remedy`, and exits with 2; a subclass may have
 * another code: the command exits with 3 on MonthSpent.
 */
export class OneLineError extends Error {
  override readonly name: string = 'OneLineError';
  /** Says what to do, such as `give a path that can be written`; undefined if the message already does. */
  readonly remedy: string | undefined;
}

/** The caller used a flag, a file or the API wrongly; the message names which, and the remedy. */
export class UsageError extends OneLineError {
  override readonly name = 'UsageError';
}

/** A file or folder cannot be written; the message has its path, the reason and the remedy. */
export class UnwritableFile extends OneLineError {
  override readonly name = 'UnwritableFile';
}

const makeRoom = 'make room on it, or give another place';

/** The reason in words, and the remedy if it is not the usual one, by the code of Node's error. */
const known: Readonly<Record<string, { readonly reason: string; readonly remedy?: string }>> = {
  ENOSPC: { reason: 'its disk is full', remedy: makeRoom },
  EDQUOT: { reason: "this user's share of its disk is full", remedy: makeRoom },
  EEXIST: { reason: 'something of this name is there already', remedy: 'give another name' },
  ENOTDIR: { reason: 'a file is in the way' },
};

/**
 * Makes the error for a path that cannot be written, from Node's error: `out/run.json cannot be written (EACCES); give a
 * path that can be written`.
 */
export function unwritableError(path: string, error: unknown): UnwritableFile {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const { reason, remedy = 'give a path that can be written' } = known[code] ?? {};
  const why = reason === undefined ? ` (${code || message})` : `: ${reason} (${code})`;
  return new UnwritableFile(`${path || '(empty)'} cannot be written${why}; ${remedy}`, { cause: error });
}
