/** Reports trouble of ours or of the caller in one line that names the place and the remedy; the command exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
