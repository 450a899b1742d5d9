import { version } from '../../files/package-files.ts';
import { UsageError } from '../../files/usage-error.ts';
import { type MetricsSnapshot, metricsText } from '../../monitors/metrics/metrics.ts';
import { Happened } from '../../monitors/metrics/metrics-notices.ts';
import { MetricsState, withoutUnseen } from '../../monitors/metrics/metrics-state.ts';
import { type MonitorPort, openPort, type PortRoute, routeAt } from '../../monitors/slots/port.ts';
import { healthRoute } from '../../monitors/slots/port-health.ts';
import type { SettledSlots } from '../../monitors/slots/recorder.ts';
import type { Station } from '../../monitors/slots/station.ts';
import type { Watch } from '../../monitors/slots/watch.ts';
import { availabilityBadge, badgeSvg, conformanceBadge } from '../../reports/formats/badge.ts';
import { type MonitorFacts, readFacts } from '../../reports/monitor/facts.ts';
import { monitorPage } from '../../reports/monitor/monitor-page.ts';
import type { ReportedPlan } from '../../reports/monitor/plan.ts';
import { readJudgedMusts } from '../../results/known-states.ts';
import type { ProbeSeries } from '../../results/probe-record.ts';
import { statements } from './method.ts';
import type { OpenMonitor } from './open-monitor.ts';

/** A monitor that has not ticked for so many ms is not well. */
const mostTickAge = 15_000;

/** The page and the badges are made of facts that are at most so old, in ms. */
const factsAge = 60_000;

/** What others can read of a running monitor: the page at /, /metrics, /healthz and the badges below /badge/. */
export class Window {
  readonly #listen: string;
  readonly #happened = new Happened();
  #metrics: MetricsState | undefined;
  #targets: Watch['targets'] = new Map();
  #port: MonitorPort | undefined;

  /** host:port, as the config has it. */
  constructor(listen: string) {
    this.#listen = listen;
  }

  /** What was settled, as it comes. */
  take({ slots, quotas, events }: SettledSlots): void {
    this.#metrics?.take(slots);
    this.#happened.take(events);
    this.#metrics?.takeQuotas(quotas);
    for (const { series, samples } of slots) {
      const key = this.#targets.get(series.target)?.key?.name;
      if (key !== undefined) this.#metrics?.countSent(key, samples.length);
    }
  }

  /** Begins to listen; resolves to the address. */
  async open({ station, watch, method, tryStore }: OpenMonitor): Promise<string> {
    const { store, definition, clock, targets } = watch;
    this.#targets = targets;
    const metrics = await MetricsState.restore(store, definition.location, clock.now());
    this.#metrics = metrics;
    const colon = this.#listen.lastIndexOf(':');
    const host = this.#listen.slice(0, colon).replace(/^\[|\]$/g, '');
    const facts = keptFacts(watch);
    const routes = [
      page(facts, method),
      metricsRoute({ metrics, happened: this.#happened }, station, watch),
      healthOf(station, watch, tryStore),
      badges(facts, watch, method),
    ];
    try {
      this.#port = await openPort({ host, port: Number(this.#listen.slice(colon + 1)), routes });
    } catch (error) {
      throw new UsageError(`monitor.listen: ${this.#listen}: ${troubleWith(error)}`);
    }
    return this.#port.url;
  }

  async close(): Promise<void> {
    await this.#port?.close();
  }
}

function troubleWith(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'somebody listens there already: give another port, or end that one';
  if (code === 'EADDRNOTAVAIL') return 'this machine has no such address: give one of its own';
  if (code === 'EACCES') return 'it may not be listened at: give a port above 1023';
  return message;
}

type Gathered = { readonly metrics: MetricsState; readonly happened: Happened };

function metricsRoute({ metrics, happened }: Gathered, station: Station, watch: Watch): PortRoute {
  const { selfCheck, clock } = watch;
  const periodOf = ({ target, probe }: ProbeSeries): number | undefined =>
    station.monitor.plan.probes.find((each) => each.probe.target === target && each.probe.name === probe)
      ?.period;
  return routeAt('/metrics', 'text/plain; version=0.0.4; charset=utf-8', async () =>
    metricsText({
      judged: await judgedIn(watch),
      ...withoutUnseen(metrics.figures, periodOf, clock.now()),
      alerts: station.alerts.standings.map(({ target, indicator, standing }) => ({
        target,
        indicator,
        isFiring: standing !== undefined,
      })),
      incidents: station.alerts.openIncidents,
      happened,
      sights: station.sights,
      exhaustions: station.monitor.exhaustions,
      stall: selfCheck.takeStall(),
      heartbeats: station.heartbeats,
      version,
    }),
  );
}

async function judgedIn({ definition, targets, store }: Watch): Promise<MetricsSnapshot['judged']> {
  const { location, probes } = definition;
  const all = [...targets.keys()].map(async (target) => {
    const own = probes.filter((each) => each.target === target);
    const judged = await readJudgedMusts(
      store,
      own.map(({ name }) => ({ location, target, probe: name })),
    );
    return judged ? [{ target, musts: judged.musts.length, of: judged.of }] : [];
  });
  return (await Promise.all(all)).flat();
}

function healthOf(station: Station, { clock }: Watch, tryStore: OpenMonitor['tryStore']): PortRoute {
  return healthRoute({
    steady: () => clock.steady(),
    lastTick: () => station.lastTick,
    mostAge: mostTickAge,
    sights: () => station.sights,
    tryStore,
  });
}

type Kept = () => Promise<MonitorFacts>;

/** The facts of the store, read anew where the last ones are too old. */
function keptFacts({ store, clock }: Watch): Kept {
  let kept: { readonly at: number; readonly facts: Promise<MonitorFacts> } | undefined;
  return () => {
    const now = clock.now();
    if (!kept || Math.abs(now - kept.at) > factsAge) kept = { at: now, facts: readFacts(store, now) };
    return kept.facts;
  };
}

/** The page that `report` writes, as it is now; it loads itself anew as often as its facts are. */
function page(facts: Kept, method: ReportedPlan): PortRoute {
  return routeAt('/', 'text/html; charset=utf-8', async () =>
    monitorPage(await facts(), { ...method, rules: statements() }, factsAge / 1000),
  );
}

/** A name that nobody watches has no badge: a slip in a link must show. */
function badges(facts: Kept, { targets }: Watch, method: ReportedPlan): PortRoute {
  return async (path) => {
    const [, target, conformance, form] =
      /^\/badge\/([A-Za-z0-9.-]+?)(\/conformance)?\.(svg|json)$/.exec(path) ?? [];
    if (target === undefined || !targets.has(target)) return undefined;
    const made = conformance === undefined ? availabilityBadge : conformanceBadge;
    const badge = made(await facts(), method, target);
    return form === 'svg'
      ? { status: 200, type: 'image/svg+xml', body: badgeSvg(badge) }
      : { status: 200, type: 'application/json', body: `${JSON.stringify(badge)}\n` };
  };
}
