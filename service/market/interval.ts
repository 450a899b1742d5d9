/** The four bucket sizes of the `interval` parameter (§2.2), shortest first. */
export const INTERVALS = ['FIVEMIN', 'HOUR', 'DAY', 'WEEK'] as const;

export type Interval = (typeof INTERVALS)[number];

/** Length of each interval in seconds. */
export const LENGTH: Readonly<Record<Interval, number>> = {
  FIVEMIN: 300,
  HOUR: 3600,
  DAY: 86_400,
  WEEK: 604_800,
};

/** The interval whose buckets tile a longer interval's bucket; five-minute buckets are tiled by samples. */
export const CHILD = { HOUR: 'FIVEMIN', DAY: 'HOUR', WEEK: 'DAY' } as const;

/** Seconds from the Unix epoch (a Thursday) to the first Monday 00:00 UTC. */
export const MONDAY = 345_600;

/**
 * Returns the start of the bucket [S, S+L) that contains `t` (Unix seconds).
 * Weeks begin `weekAnchor` seconds after the epoch, all other intervals on multiples of their length.
 */
export function bucketStart(t: number, interval: Interval, weekAnchor: number): number {
  const length = LENGTH[interval];
  const phase = interval === 'WEEK' ? weekAnchor % length : 0;
  return Math.floor((t - phase) / length) * length + phase;
}
