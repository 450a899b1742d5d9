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

/** Text format 0.0.4, as Prometheus reads it. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Formats the exposition of families in their order; skips those without points. */
export function formatFamily(families: readonly MetricsFamily[]): string {
  return families
    .filter(({ points }) => points.length > 0)
    .map(({ name, type, help, points }) =>
      [
        `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n`,
        `# TYPE ${name} ${type}\n`,
        ...points.map(
          ({ suffix = '', labels, value }) =>
            `${name}${suffix}${formatLabels(labels)} ${formatNumber(value)}\n`,
        ),
      ].join(''),
    )
    .join('');
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function formatNumber(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
