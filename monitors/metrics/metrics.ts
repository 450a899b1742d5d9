import type { Indicator } from '../results/probe-record.ts';
import type { IncidentRecord } from '../results/results-store.ts';
import { blackboxFamilies, seriesLabels } from './metrics-blackbox.ts';
import {
  counter,
  formatFamily,
  gaugeFamily,
  type MetricsFamily,
  type Point,
  points,
  seconds,
} from './metrics-family.ts';
import { type Noticeable, noticeFamilies } from './metrics-notices.ts';
import { latenessBounds, type MetricsFigures, type SeriesFigures } from './metrics-state.ts';

/** Everything that `/metrics` reports at an instant. */
export type MetricsSnapshot = MetricsFigures &
  Noticeable & {
    /** Every objective at every target. */
    readonly alerts: readonly {
      readonly target: string;
      readonly indicator: Indicator;
      readonly isFiring: boolean;
      /** Absent unless it fires. */
      readonly severity?: 'page' | 'ticket';
    }[];
    /** Every alert that is not resolved. */
    readonly openAlerts: readonly {
      readonly state: 'firing' | 'flapping';
      readonly severity: 'page' | 'ticket';
    }[];
    readonly incidents: readonly Pick<IncidentRecord, 'target' | 'indicator'>[];
    /** Musts that the light probes of each target judge, and musts in all. */
    readonly judged: readonly { readonly target: string; readonly musts: number; readonly of: number }[];
    /** Targets in planned work now, and when it ends, Unix ms. */
    readonly planned?: readonly { readonly target: string; readonly until: number }[];
    /** Longest stall of the event loop since it was last read, in ms. */
    readonly stall?: number;
    readonly heartbeats?: { readonly sent: number; readonly failed: number };
    readonly version: string;
  };

/**
 * The snapshot in Prometheus' text format: `probe_` as blackbox_exporter names it, so that its dashboards show our
 * probes, and `candleproof_` for what it has no name for. Seconds throughout; what was not measured is absent.
 */
export function metricsText(snapshot: MetricsSnapshot): string {
  return formatFamily([
    ...blackboxFamilies(snapshot.series),
    ...seriesFamilies(snapshot),
    ...judgedFamilies(snapshot),
    ...keyFamilies(snapshot),
    ...alertFamilies(snapshot),
    ...noticeFamilies(snapshot),
    ...monitorFamilies(snapshot),
  ]);
}

function seriesFamilies({ series, findings, degradedBy, lateness }: MetricsSnapshot): MetricsFamily[] {
  const countPoints = (of: (figures: SeriesFigures) => ReadonlyMap<string, number>, label: string): Point[] =>
    series.flatMap((figures) =>
      [...of(figures)].flatMap(([name, count]) => points({ ...seriesLabels(figures), [label]: name }, count)),
    );
  return [
    counter(
      'slots',
      'Planned slots by what became of them',
      countPoints(({ states }) => states, 'state'),
    ),
    counter(
      'outcomes',
      'Probes by their outcome',
      countPoints(({ outcomes }) => outcomes, 'outcome'),
    ),
    gaugeFamily(
      'last_slot_timestamp_seconds',
      'Planned instant of the newest slot in which the service was looked at',
      series.flatMap((figures) => points(seriesLabels(figures), seconds(figures.lastRunAt))),
    ),
    gaugeFamily(
      'candle_age_seconds',
      "Age of the newest candle by the service's own clock as it was last seen",
      series.flatMap((figures) => points(seriesLabels(figures), seconds(figures.age))),
    ),
    counter(
      'findings',
      'Slots in which a rule at must was broken',
      findings.flatMap(({ target, rule, count }) => points({ target, rule }, count)),
    ),
    counter(
      'degraded',
      'Slots that a rule at should, or a missed objective, made degraded',
      degradedBy.flatMap(({ target, rule, count }) => points({ target, by: rule }, count)),
    ),
    {
      ...gaugeFamily(
        'slot_lateness_seconds',
        'From the planned instant to the start',
        latenessPoints(lateness),
      ),
      type: 'histogram',
    },
  ];
}

function latenessPoints({ counts, sum, count }: MetricsFigures['lateness']): Point[] {
  const buckets = counts.map((value, index) => ({ labels: { le: String(latenessBounds[index]) }, value }));
  return [
    ...[...buckets, { labels: { le: '+Inf' }, value: count }].map((bucket) => ({
      ...bucket,
      suffix: '_bucket' as const,
    })),
    { suffix: '_sum', labels: {}, value: sum },
    { suffix: '_count', labels: {}, value: count },
  ];
}

function judgedFamilies({ judged, planned = [] }: MetricsSnapshot): MetricsFamily[] {
  return [
    gaugeFamily(
      'musts_judged',
      'Rules at must that the light probes have found evidence for; no other can be found broken by them',
      judged.flatMap(({ target, musts }) => points({ target }, musts)),
    ),
    gaugeFamily(
      'musts',
      'Rules at must that bind the target',
      judged.flatMap(({ target, of }) => points({ target }, of)),
    ),
    gaugeFamily(
      'planned_work_end_timestamp_seconds',
      'End of the planned work that goes on at the target; absent at any other time',
      planned.flatMap(({ target, until }) => points({ target }, seconds(until))),
    ),
  ];
}

function keyFamilies({ quotas, sent }: MetricsSnapshot): MetricsFamily[] {
  const quotaPoints = (of: (quota: MetricsFigures['quotas'][number]) => number | undefined): Point[] =>
    quotas.flatMap((quota) => points({ key: quota.key }, of(quota)));
  return [
    gaugeFamily(
      'quota_limit',
      'Requests a month that the key may make',
      quotaPoints(({ limit }) => limit),
    ),
    gaugeFamily(
      'quota_remaining',
      'Requests left in this month',
      quotaPoints(({ remaining }) => remaining),
    ),
    gaugeFamily(
      'quota_additional',
      'Requests beyond the limit',
      quotaPoints(({ additional }) => additional),
    ),
    gaugeFamily(
      'quota_reset_timestamp_seconds',
      'When the month ends',
      quotaPoints(({ resetAt }) => seconds(resetAt)),
    ),
    counter(
      'requests_sent',
      'Requests of this process that went out with the key',
      [...sent].flatMap(([key, count]) => points({ key }, count)),
    ),
  ];
}

function alertFamilies({ alerts, openAlerts, incidents }: MetricsSnapshot): MetricsFamily[] {
  const open = new Map(alerts.map(({ target, indicator }) => [JSON.stringify([target, indicator]), 0]));
  for (const { target, indicator } of incidents) {
    const key = JSON.stringify([target, indicator]);
    open.set(key, (open.get(key) ?? 0) + 1);
  }
  return [
    gaugeFamily(
      'alerts_firing',
      'Whether an objective is in danger now, with this severity: 0 once its target is up',
      alerts.flatMap(({ target, indicator, isFiring, severity }) =>
        (['page', 'ticket'] as const).flatMap((one) =>
          points({ target, indicator, severity: one }, Number(isFiring && severity === one)),
        ),
      ),
    ),
    gaugeFamily(
      'alerts_open',
      'Alerts in this state, each about one cause',
      (['firing', 'flapping'] as const).flatMap((state) =>
        (['page', 'ticket'] as const).flatMap((severity) =>
          points(
            { state, severity },
            openAlerts.filter((one) => one.state === state && one.severity === severity).length,
          ),
        ),
      ),
    ),
    gaugeFamily(
      'incidents_open',
      'Incidents that go on',
      [...open].flatMap(([key, count]) => {
        const [target, indicator] = JSON.parse(key);
        return points({ target, indicator }, count);
      }),
    ),
  ];
}

function monitorFamilies({ stall, heartbeats, version }: MetricsSnapshot): MetricsFamily[] {
  const beats = Object.entries(heartbeats ?? {});
  return [
    gaugeFamily(
      'monitor_event_loop_delay_seconds',
      "Longest standstill of the monitor's event loop during a probe since it was last read",
      points({}, seconds(stall)),
    ),
    counter(
      'heartbeats',
      'Signs of life by what became of them',
      beats.flatMap(([result, n]) => points({ result }, n)),
    ),
    gaugeFamily('build_info', 'Always 1; what is running', points({ version }, 1)),
  ];
}
