import type { RunOutcome } from '../../conformance/run/run.ts';
import { UsageError } from '../../files/usage-error.ts';
import { type MonitorPort, openPort } from '../../monitors/slots/port.ts';
import type { OpenFinding } from '../judging/open-findings.ts';
import { type SeenTraffic, StreamingJudge } from '../judging/streaming-judge.ts';
import { Keeper, type LedgerPlan } from '../keeping/keeper.ts';
import { openProxy, type ProxyCounts, type ProxyOptions, type RunningProxy } from '../proxy/proxy.ts';
import { trafficRoutes } from './traffic-metrics.ts';
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
  const keeper = ledger && (await Keeper.open(ledger, events.onLost));
  const judge = openJudge(options, events, keeper);
  const startedAt = new Date().toISOString();
  let proxy: RunningProxy | undefined;
  let metrics: MonitorPort | undefined;
  const close = async (): Promise<void> => {
    await proxy?.close(graceMs);
    if (proxy) await judge.finished(graceMs);
    await judge.close();
    await keeper?.close(graceMs);
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
  keeper: Keeper | undefined,
): StreamingJudge {
  return new StreamingJudge({
    specFile: spec.file,
    overlays: spec.overlays,
    target: facts,
    ...(only && { only: [...law.rules, ...law.questions].map(({ id }) => id) }),
    ...{ onFound, onMinuteLost },
    onQuota: (quota) => keeper?.see(quota),
  });
}

async function listen(
  { facts, ca, certificate, host, port, proxyEnv, limits, patienceMs }: TrafficOptions,
  { onNotPassed }: TrafficEvents,
  onlooker: StreamingJudge,
): Promise<RunningProxy> {
  const upstream = { baseUrl: facts.baseUrl, ca, proxyEnv };
  try {
    return await openProxy({
      ...{ upstream, host, port, certificate, onlooker, patienceMs, limits, onNotPassed },
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
