import type { Labels, MetricsFamily } from './metrics-family.ts';

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
