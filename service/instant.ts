/** When a service's clock starts: Unix ms, ISO 8601 text, or a clock of one's own that is read each time. */
export type Instant = number | string | (() => number);

/** An instant that cannot be read. */
export class UnreadableInstant extends Error {
  override readonly name = 'UnreadableInstant';
}

/** A clock in whole Unix ms that starts at an instant and runs on from there; the machine's where none is given. */
export function clockFrom(instant: Instant | undefined): () => number {
  if (instant === undefined) return Date.now;
  if (typeof instant === 'function') return () => Math.floor(instant());
  const first = typeof instant === 'string' ? Date.parse(instant) : instant;
  if (!Number.isFinite(first)) {
    throw new UnreadableInstant(`"${instant}" is no instant: give one such as 2026-01-31T23:59:00Z`);
  }
  const began = performance.now();
  return () => Math.floor(first + (performance.now() - began));
}
