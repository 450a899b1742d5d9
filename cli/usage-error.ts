/** Our own trouble or the caller's: one clear line that names the place and the mend. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
