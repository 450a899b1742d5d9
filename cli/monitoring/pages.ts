import { findRoute, type PortRoute } from '../../monitors/slots/port.ts';
import type { OpenMonitor } from '../../monitors/watching/open-monitor.ts';
import { availabilityBadge, badgeSvg, conformanceBadge } from '../../reports/formats/badge.ts';
import { type MonitorFacts, readFacts } from '../../reports/monitor/facts.ts';
import { readPageState } from '../../reports/monitor/html/pieces.ts';
import { monitorPage } from '../../reports/monitor/monitor-page.ts';
import type { ReportedPlan } from '../../reports/monitor/plan.ts';
import { describeMethod, listStatements } from './method.ts';

/** The page and the badges show facts that are at most this old, in ms. */
const factsAge = 60_000;

/** Returns the routes of a running monitor that show its results: the page at / (/still: not loaded again) and the badges below /badge/. */
export function drawPages({ watch, station, plan, shares }: OpenMonitor): PortRoute[] {
  const stored = cacheFacts(watch);
  const facts = async (): Promise<MonitorFacts> => ({
    ...(await stored()),
    blind: listBlind(watch, station),
  });
  const method = describeMethod(watch.definition, plan, shares);
  const page = pageWriter(facts, method);
  return [page('/', factsAge / 1000), page('/still'), badges(facts, watch, method)];
}

type ReadFacts = () => Promise<MonitorFacts>;

/** Returns a reader of the store's facts, which reads them again if the last ones are too old. */
function cacheFacts({ store, clock }: OpenMonitor['watch']): ReadFacts {
  let kept: { readonly at: number; readonly facts: Promise<MonitorFacts> } | undefined;
  return () => {
    const now = clock.now();
    if (!kept || Math.abs(now - kept.at) > factsAge) kept = { at: now, facts: readFacts(store, now) };
    return kept.facts;
  };
}

/** Lists the targets that the monitor cannot judge now, as /healthz does. */
function listBlind({ definition }: OpenMonitor['watch'], { coverage }: OpenMonitor['station']) {
  const { location } = definition;
  return coverage.flatMap(({ target, blindSince: since }) =>
    since === undefined ? [] : [{ target, location, since }],
  );
}

/** Returns a server of the page that `report` writes, as it is now; `refresh`: seconds after which it is loaded again. */
function pageWriter(facts: ReadFacts, method: ReportedPlan): (path: string, refresh?: number) => PortRoute {
  return (path, refresh) =>
    findRoute(path, 'text/html; charset=utf-8', async (query) =>
      monitorPage(await facts(), { ...method, rules: listStatements() }, readPageState(query, refresh)),
    );
}

/** Serves badges; an unwatched name has none: a slip in a link must show. */
function badges(facts: ReadFacts, { targets }: OpenMonitor['watch'], method: ReportedPlan): PortRoute {
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
