/** The start of a service's clock (Unix ms or ISO 8601 text), or a clock that returns Unix ms. */
export type Instant = number | string | (() => number);

/** Thrown for an instant that cannot be read. */
export class UnreadableInstant extends Error {
  override readonly name = 'UnreadableInstant';
}

/** Returns a clock in whole Unix ms that starts at an instant; by default the machine's clock. Throws UnreadableInstant. */
export function createClock(instant: Instant | undefined): () => number {
  if (instant === undefined) return Date.now;
  if (typeof instant === 'function') return () => Math.floor(instant());
  const first = typeof instant === 'string' ? Date.parse(instant) : instant;
  if (!Number.isFinite(first)) {
    throw new UnreadableInstant(`"${instant}" is not a time: use one such as 2026-01-31T23:59:00Z`);
  }
  const began = performance.now();
  return () => Math.floor(first + (performance.now() - began));
}
