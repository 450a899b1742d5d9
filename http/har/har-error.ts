/** A recording that cannot be read: which file, where in it, and what mends it. */
export class HarError extends Error {
  override readonly name = 'HarError';

  /** @param place line and column of a JSON fault, or a pointer such as `log.entries[3].request.url` */
  constructor(fileName: string, place: string, trouble: string) {
    super(`${fileName}: ${place} ${trouble}.`);
  }
}
