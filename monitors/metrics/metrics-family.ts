export type Labels = Readonly<Record<string, string>>;

export type Point = {
  readonly labels: Labels;
  readonly value: number;
  /** The suffix of a histogram's part. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
};

/** All points of one name, with their labels. */
export type MetricsFamily = {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly points: readonly Point[];
};

/** Returns a gauge with the prefix of ours. */
export function gaugeFamily(name: string, help: string, all: readonly Point[]): MetricsFamily {
  return { name: `candleproof_${name}`, type: 'gauge', help, points: all };
}

/** Returns a family that counts. */
export function counter(name: string, help: string, all: readonly Point[]): MetricsFamily {
  return { ...gaugeFamily(`${name}_total`, help, all), type: 'counter' };
}

/** Returns a point, or none if the value is unknown. */
export function points(labels: Labels, value: number | undefined): Point[] {
  return value === undefined ? [] : [{ labels, value }];
}

/** Converts milliseconds to seconds. */
export function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}
