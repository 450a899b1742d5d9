/** A file or folder that cannot be written; the message is one line with its path, the reason and the mend. */
export class UnwritableFile extends Error {
  override readonly name = 'UnwritableFile';
}

const fullDisk = new Set(['ENOSPC', 'EDQUOT']);

export function unwritable(path: string, error: unknown): UnwritableFile {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const what = `${path || '(empty)'} cannot be written`;
  const text = fullDisk.has(code)
    ? `${what}: its disk is full (${code}); make room on it, or give another place`
    : `${what} (${code || message}); give one that can`;
  return new UnwritableFile(text, { cause: error });
}
