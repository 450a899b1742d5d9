const lengths = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of a duration as a config writes it: 800ms, 30s, 15m, 4h, 7d. NaN for what is none. */
export function readDuration(text: string): number {
  const [, count, unit] = /^(\d+)(ms|[smhd])$/.exec(text) ?? [];
  return count === undefined ? Number.NaN : Number(count) * lengths[unit as keyof typeof lengths];
}

/** A duration as a config writes it, in the longest unit that holds it whole. */
export function formatDuration(ms: number): string {
  const [unit = 'ms', length = 1] =
    Object.entries(lengths)
      .toReversed()
      .find(([, unit]) => ms > 0 && ms % unit === 0) ?? [];
  return `${ms / length}${unit}`;
}
