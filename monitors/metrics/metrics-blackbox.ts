import type { Phase } from '@candleproof/law/reading/exchange';
import { type Labels, type MetricsFamily, points, seconds } from './metrics-family.ts';
import type { SeriesFigures } from './metrics-state.ts';

/** Its phase `processing` runs from the connection to the first byte of the answer. */
const phases: Readonly<Record<string, readonly Phase[]>> = {
  resolve: ['dns'],
  connect: ['connect'],
  tls: ['tls'],
  processing: ['send', 'wait'],
  transfer: ['receive'],
};

/** A probe's last run as blackbox_exporter names it. */
export function blackboxFamilies(series: readonly SeriesFigures[]): MetricsFamily[] {
  return [
    gauge(
      'probe_success',
      'Whether the last probe that tells of the service was a success',
      (figures) => figures.reported && Number(figures.reported.isGood),
    ),
    gauge('probe_duration_seconds', 'How long that probe took', (figures) =>
      seconds(figures.reported?.durationMs),
    ),
    {
      name: 'probe_http_duration_seconds',
      type: 'gauge',
      help: 'Duration of its first request by phase',
      points: series.flatMap((figures) =>
        Object.keys(phases).flatMap((phase) =>
          points({ ...seriesLabels(figures), phase }, seconds(meanDuration(figures, phases[phase] ?? []))),
        ),
      ),
    },
    gauge(
      'probe_http_status_code',
      'HTTP status of its first answer that is no success, else of its first',
      (figures) => figures.reported?.status,
    ),
    gauge('probe_ssl_earliest_cert_expiry', 'End of the served certificate in Unix time', (figures) =>
      seconds(figures.certificateEnd),
    ),
  ];

  function gauge(
    name: string,
    help: string,
    of: (figures: SeriesFigures) => number | undefined,
  ): MetricsFamily {
    return {
      name,
      type: 'gauge',
      help,
      points: series.flatMap((figures) => points(seriesLabels(figures), of(figures))),
    };
  }
}

function meanDuration({ reported }: SeriesFigures, parts: readonly Phase[]): number | undefined {
  const measured = parts.flatMap((part) => reported?.timings?.[part] ?? []);
  return measured.length === 0 ? undefined : measured.reduce((sum, duration) => sum + duration, 0);
}

/** Returns the labels of a series. */
export function seriesLabels({ series: { target, probe, operation, location } }: SeriesFigures): Labels {
  return { target, probe, operation, location };
}
