/** A failure on this side, never the target's: a bad option, an unsendable header, a closed client. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
}
