import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import { version } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import {
  counter,
  formatFamily,
  gaugeFamily,
  type MetricsFamily,
  metricsType,
  points,
} from '@candleproof/monitors/metrics/metrics-family';
import { findRoute, type MonitorPort, openPort, type PortRoute } from '@candleproof/monitors/slots/port';
import { openProxy, type ProxyCounts, type ProxyOptions, type RunningProxy } from '../forwarding/proxy.ts';
import type { OpenFinding } from '../judging/open-findings.ts';
import { type SeenTraffic, StreamingJudge } from '../judging/streaming-judge.ts';
import { CounterBooking, type LedgerPlan } from '../keeping/counter-booking.ts';
import { makeTrafficRun, type TrafficFacts } from './traffic-run.ts';

/** Longest wait in ms at the end for running answers, and for the judge to finish. */
const graceMs = 5000;

/** A proxy with its judge, and its address. */
export type WatchedTraffic = {
  readonly url: string;
  readonly metricsUrl?: string;
  seen(): SeenTraffic;
  counts(): ProxyCounts;
  /** Waits until the judge has finished all exchanges. */
  settle(): Promise<unknown>;
  /** Returns everything that passed so far as a run. */
  outcome(): RunOutcome;
  close(): Promise<void>;
};

/** The choices of a proxy; `patienceMs` is the longest wait for the upstream. */
export type TrafficOptions = TrafficFacts &
  Pick<ProxyOptions, 'host' | 'port' | 'certificate' | 'patienceMs'> &
  Required<Pick<ProxyOptions, 'limits'>> & {
    /** Ids or groups of rules to judge by; all of them by default. */
    readonly only?: readonly string[];
    /** PEM of an authority for the upstream. */
    readonly ca?: string | undefined;
    readonly proxyEnv: ProxyOptions['upstream']['proxyEnv'];
    /** A second port for metrics, 0 for any free one. */
    readonly metricsPort?: number;
    /** The ledger that books the counters of keys. */
    readonly ledger?: LedgerPlan;
  };

export type TrafficEvents = Required<Pick<ProxyOptions, 'onNotPassed'>> & {
  /** Called for a new finding and when its count grows; `before` is the previous count. */
  readonly onFound: (finding: OpenFinding, before: number) => void;
  readonly onMinuteLost: (begin: number) => void;
  readonly onLost: (reason: string) => void;
};

/** The proxy cannot listen; `cause` has the reason. */
export class ProxyNotOpened extends Error {
  override readonly name = 'ProxyNotOpened';
}

/**
 * Passes traffic to an upstream, judges a copy of it and books the counters of keys until it is closed. Throws a
 * UsageError for a ledger or a metrics port that cannot be opened, ProxyNotOpened if it cannot listen.
 */
export async function watchTraffic(options: TrafficOptions, events: TrafficEvents): Promise<WatchedTraffic> {
  const { ledger } = options;
  const booking = ledger && (await CounterBooking.open(ledger, events.onLost));
  const judge = openJudge(options, events, booking);
  const startedAt = new Date().toISOString();
  let proxy: RunningProxy | undefined;
  let metrics: MonitorPort | undefined;
  const close = async (): Promise<void> => {
    await proxy?.close(graceMs);
    if (proxy) await judge.finished(graceMs);
    await judge.close();
    await booking?.close(graceMs);
    await metrics?.close();
  };
  try {
    metrics = await openMetrics(options.metricsPort, judge, () => proxy?.counts);
    const opened = await listen(options, events, judge);
    proxy = opened;
    return {
      url: opened.url,
      ...(metrics && { metricsUrl: metrics.url }),
      seen: () => judge.seen,
      counts: () => opened.counts,
      settle: () => judge.settled(graceMs),
      outcome: () => makeTrafficRun(options, judge.seen, startedAt),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function openJudge(
  { spec, facts, law, only }: TrafficOptions,
  { onFound, onMinuteLost }: TrafficEvents,
  booking: CounterBooking | undefined,
): StreamingJudge {
  return new StreamingJudge({
    specFile: spec.file,
    overlays: spec.overlays,
    target: facts,
    ...(only && { only: [...law.rules, ...law.questions].map(({ id }) => id) }),
    ...{ onFound, onMinuteLost },
    onQuota: (quota) => booking?.see(quota),
  });
}

async function listen(
  { facts, ca, certificate, host, port, proxyEnv, limits, patienceMs }: TrafficOptions,
  { onNotPassed }: TrafficEvents,
  observer: StreamingJudge,
): Promise<RunningProxy> {
  const upstream = { baseUrl: facts.baseUrl, ca, proxyEnv };
  try {
    return await openProxy({
      ...{ upstream, host, port, certificate, observer, patienceMs, limits, onNotPassed },
    });
  } catch (cause) {
    throw new ProxyNotOpened('the proxy cannot listen', { cause });
  }
}

async function openMetrics(
  port: number | undefined,
  judge: StreamingJudge,
  counts: () => ProxyCounts | undefined,
): Promise<MonitorPort | undefined> {
  if (port === undefined) return undefined;
  try {
    return await openPort({ port, routes: trafficRoutes(() => judge.seen, counts) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'it is in use: give another, 0 for any that is free' : message;
    throw new UsageError(`--metrics-port: ${port}: ${why}`);
  }
}

/** Returns the routes of a running proxy: /metrics and /healthz. */
function trafficRoutes(seen: () => SeenTraffic, proxy: () => ProxyCounts | undefined): PortRoute[] {
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
