import { version } from '../../files/package-files.ts';
import { counter, gaugeFamily, type MetricsFamily, points } from '../../monitors/metrics/metrics-family.ts';
import { formatFamily, metricsType } from '../../monitors/metrics/metrics-text.ts';
import { findRoute, type PortRoute } from '../../monitors/slots/port.ts';
import type { SeenTraffic } from '../judging/streaming-judge.ts';
import type { ProxyCounts } from '../proxy/proxy.ts';

/** Returns the routes of a running proxy: /metrics and /healthz. */
export function trafficRoutes(seen: () => SeenTraffic, proxy: () => ProxyCounts | undefined): PortRoute[] {
  return [
    findRoute('/metrics', metricsType, () =>
      formatFamily([...trafficFamilies(seen()), ...proxyFamilies(proxy())]),
    ),
    findRoute('/healthz', 'application/json', () => `${JSON.stringify({ healthy: true })}\n`),
  ];
}

function trafficFamilies({ counts, findings }: SeenTraffic): MetricsFamily[] {
  const unjudged = [...counts.unjudged].flatMap(([reason, count]) => points({ reason }, count));
  const breaches = findings.all.flatMap(({ finding: { rule, level, operation }, count }) => ({
    key: JSON.stringify([rule, level, operation]),
    count,
  }));
  const byRule = [...Map.groupBy(breaches, ({ key }) => key)].flatMap(([key, all]) => {
    const [rule, level, operation] = JSON.parse(key);
    return points(
      { rule, level, operation },
      all.reduce((sum, { count }) => sum + count, 0),
    );
  });
  return [
    counter('traffic_seen', 'Exchanges that passed', points({}, counts.seen)),
    counter('traffic_judged', 'Those that were judged', points({}, counts.judged)),
    counter('traffic_unjudged', 'Those that were not, by the reason', unjudged),
    gaugeFamily('traffic_waiting', 'Those that wait for the judge', points({}, counts.waiting)),
    counter(
      'traffic_judge_restarts',
      'Times that the judge ended and was started anew',
      points({}, counts.restarts),
    ),
    counter(
      'traffic_minutes_not_judged',
      'Minutes in which the judge was not there, or lost what it had judged',
      points({}, counts.minutesLost),
    ),
    counter('traffic_breaches', 'Breaches of each rule in what passed', byRule),
    gaugeFamily('build_info', 'Always 1; what is running', points({ version }, 1)),
  ];
}

function proxyFamilies(counts: ProxyCounts | undefined): MetricsFamily[] {
  const notPassed = [...(counts?.notPassed ?? [])].flatMap(([reason, count]) => points({ reason }, count));
  return [
    gaugeFamily('proxy_clients', 'Connections of clients that are open', points({}, counts?.clients)),
    gaugeFamily('proxy_requests', 'Requests that are not answered yet', points({}, counts?.requests)),
    gaugeFamily('proxy_upstream_connections', 'Connections to the upstream', points({}, counts?.upstream)),
    counter('proxy_not_passed', 'What was refused or dropped, by the reason', notPassed),
  ];
}
