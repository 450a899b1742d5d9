import { version } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import { listBlind } from '../alerting/coverage-conditions.ts';
import { type MetricsSnapshot, metricsText } from '../metrics/metrics.ts';
import { EventCounts } from '../metrics/metrics-notices.ts';
import { MetricsState, withoutUnseen } from '../metrics/metrics-state.ts';
import { plannedWorkEnd, type Watch } from '../probes/watch.ts';
import { readJudgedMusts } from '../results/known-states.ts';
import type { ProbeSeries } from '../results/probe-record.ts';
import type { AlertingMonitor } from '../slots/alerting-monitor.ts';
import { findRoute, type MonitorPort, openPort, type PortRoute } from '../slots/port.ts';
import type { SettledSlots } from '../slots/recorder.ts';
import { deepRunRoute } from './deep-runs.ts';
import { healthRoute, isReadiness } from './health.ts';
import type { OpenMonitor } from './open-monitor.ts';

/** Ms without a tick after which a monitor is unhealthy. */
const mostTickAge = 15_000;

/** Further routes of a running monitor, such as its page, and their end. */
export type DrawnRoutes = { readonly routes: readonly PortRoute[]; close(): Promise<void> };

export type DrawRoutes = (opened: OpenMonitor) => DrawnRoutes;

/** Serves a monitor to others: /metrics, /healthz, /livez and the routes that are given. */
export class Window {
  readonly #listen: string;
  readonly #draw: DrawRoutes;
  readonly #happened = new EventCounts();
  #metrics: MetricsState | undefined;
  #targets: Watch['targets'] = new Map();
  #port: MonitorPort | undefined;
  #drawn: DrawnRoutes | undefined;

  /** `listen` is host:port, as the config has it. */
  constructor(listen: string, draw: DrawRoutes) {
    this.#listen = listen;
    this.#draw = draw;
  }

  /** Takes slots that were settled, with their quotas and events. */
  take({ slots, quotas, events }: SettledSlots): void {
    this.#metrics?.take(slots);
    this.#happened.take(events);
    this.#metrics?.takeQuotas(quotas);
    for (const { series, samples } of slots) {
      const key = this.#targets.get(series.target)?.key?.name;
      if (key !== undefined) this.#metrics?.countSent(key, samples.length);
    }
  }

  /** Begins to listen, and returns the address. Throws a UsageError. */
  async open(opened: OpenMonitor): Promise<string> {
    const { alertingMonitor, watch, tryStore } = opened;
    const { store, definition, clock, targets } = watch;
    this.#targets = targets;
    const metrics = await MetricsState.restore(store, definition, clock.now());
    this.#metrics = metrics;
    await this.close();
    this.#drawn = this.#draw(opened);
    return this.#serve([
      ...this.#drawn.routes,
      deepRunRoute(opened.dataDir),
      metricsRoute({ metrics, happened: this.#happened }, alertingMonitor, watch),
      openHealth(alertingMonitor, watch, tryStore),
    ]);
  }

  /** Says that a monitor which cannot open anything yet lives, and why it waits, until it opens or closes. */
  async wait(reason: string): Promise<void> {
    await this.close();
    await this.#serve([
      async (path) => {
        const isLive = path === '/livez';
        if (!isLive && !isReadiness(path)) return undefined;
        const body = `${JSON.stringify({ healthy: false, waiting: reason })}\n`;
        return { status: isLive ? 200 : 503, type: 'application/json', body };
      },
    ]);
  }

  async #serve(routes: readonly PortRoute[]): Promise<string> {
    const colon = this.#listen.lastIndexOf(':');
    const host = this.#listen.slice(0, colon).replace(/^\[|\]$/g, '');
    try {
      this.#port = await openPort({ host, port: Number(this.#listen.slice(colon + 1)), routes });
    } catch (error) {
      throw new UsageError(`monitor.listen: ${this.#listen}: ${explainWindowError(error)}`);
    }
    return this.#port.url;
  }

  async close(): Promise<void> {
    await this.#port?.close();
    this.#port = undefined;
    await this.#drawn?.close();
    this.#drawn = undefined;
  }
}

function explainWindowError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'somebody listens there already: give another port, or end that one';
  if (code === 'EADDRNOTAVAIL') return 'this machine has no such address: give one of its own';
  if (code === 'EACCES') return 'it may not be listened at: give a port above 1023';
  return message;
}

type Gathered = { readonly metrics: MetricsState; readonly happened: EventCounts };

function metricsRoute(
  { metrics, happened }: Gathered,
  alertingMonitor: AlertingMonitor,
  watch: Watch,
): PortRoute {
  const { selfCheck, clock } = watch;
  const findPeriod = ({ target, probe }: ProbeSeries): number | undefined =>
    alertingMonitor.monitor.plan.probes.find(
      (plannedProbe) => plannedProbe.probe.target === target && plannedProbe.probe.name === probe,
    )?.period;
  return findRoute('/metrics', 'text/plain; version=0.0.4; charset=utf-8', async () =>
    metricsText({
      judged: await readJudged(watch),
      planned: [...watch.targets.keys()].flatMap((target) => {
        const until = plannedWorkEnd(watch, target, clock.now());
        return until === undefined ? [] : [{ target, until }];
      }),
      ...withoutUnseen(
        metrics.figures,
        findPeriod,
        clock.now(),
        new Set(listBlind(alertingMonitor.coverage).map(({ target }) => target)),
      ),
      alerts: alertingMonitor.alerts.objectiveAlerts.map(({ target, indicator, touch }) => ({
        target,
        indicator,
        isFiring: touch !== undefined,
        ...(touch && { severity: touch.severity }),
      })),
      openAlerts: alertingMonitor.alerts.openAlerts,
      incidents: alertingMonitor.alerts.openIncidents,
      happened,
      coverage: alertingMonitor.coverage,
      exhaustions: alertingMonitor.monitor.exhaustions,
      stall: selfCheck.takeStall(),
      heartbeats: alertingMonitor.heartbeats,
      version,
    }),
  );
}

async function readJudged({ definition, targets, store }: Watch): Promise<MetricsSnapshot['judged']> {
  const { location, probes } = definition;
  const all = [...targets.keys()].map(async (target) => {
    const targetProbes = probes.filter((probe) => probe.target === target);
    const judged = await readJudgedMusts(
      store,
      targetProbes.map(({ name }) => ({ location, target, probe: name })),
    );
    return judged ? [{ target, musts: judged.musts.length, of: judged.of }] : [];
  });
  return (await Promise.all(all)).flat();
}

function openHealth(
  alertingMonitor: AlertingMonitor,
  { clock }: Watch,
  tryStore: OpenMonitor['tryStore'],
): PortRoute {
  return healthRoute({
    steady: () => clock.steady(),
    lastTick: () => alertingMonitor.lastTick,
    mostAge: mostTickAge,
    coverage: () => alertingMonitor.coverage,
    tryStore,
  });
}
