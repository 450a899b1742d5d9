import type { EventRecord } from '../../results/results-store.ts';
import type { ObjectiveState } from './estimates.ts';
import { newestFirst } from './event-kinds.ts';
import type { IncidentCounts, MonitorFacts } from './facts.ts';
import type { PageState } from './html/page-state.ts';
import { listOutages, type Outage } from './outages.ts';
import type { ReportedPlan } from './plan.ts';
import { type KeyView, listKeys } from './quota.ts';
import { listRestatements, type Restatements } from './restatements.ts';
import { type WatchView, watchView } from './watch-view.ts';
import { byWatch, listWatches, type WatchId, watchId } from './watches.ts';

/** A report as facts, before any markup. */
export type MonitorView = {
  readonly now: number;
  readonly extent?: MonitorFacts['extent'] | undefined;
  readonly plan: ReportedPlan;
  readonly watches: readonly WatchView[];
  readonly keys: readonly KeyView[];
  /** Newest first, of the 90 days. */
  readonly outages: readonly Outage[];
  readonly restatements: Restatements;
  /** Alerts and the monitor's events, newest first. */
  readonly others: readonly EventRecord[];
  /** The choices of the reader of a served page. */
  readonly state?: PageState | undefined;
};

/** Returns the view that the monitor's page is rendered from. */
export function monitorView(facts: MonitorFacts, plan: ReportedPlan): MonitorView {
  const { now, extent, quotas, events } = facts;
  const outages = listOutages(facts.incidents, now);
  const reported = new Set(['restatement', 'network-reset']);
  const keys = listKeys(quotas, events, plan, now, facts.paces);
  const ledger = new Set(keys.flatMap((key) => key.events));
  return {
    ...{ now, extent, plan, keys, outages },
    watches: watchViews(facts, outages, plan),
    restatements: listRestatements(events),
    others: newestFirst(events.filter((event) => !reported.has(event.kind) && !ledger.has(event))),
  };
}

function watchViews(facts: MonitorFacts, outages: readonly Outage[], plan: ReportedPlan): WatchView[] {
  const [days, hours, past] = [byWatch(facts.days), byWatch(facts.hours), byWatch(facts.past)];
  const [extents, looks] = [byWatch(facts.extents), byWatch(facts.looks)];
  return listWatches([...facts.days, ...facts.hours, ...facts.past]).map((watch) => {
    const id = watchId(watch);
    const isOwn = isOurs(watch);
    const musts = facts.musts.find(
      ({ target, location }) =>
        watch.source === 'active' && target === watch.target && location === watch.location,
    );
    const ours = {
      ...{ days: days.get(id) ?? [], hours: hours.get(id) ?? [], past: past.get(id) ?? [] },
      ...{ extents: extents.get(id) ?? [], looks: looks.get(id) ?? [], ...(musts && { musts }) },
      incidents: [...facts.incidents, ...facts.pastIncidents].filter(isOwn),
    };
    const seen = outages.filter(({ incident }) => isOwn(incident));
    return watchView(watch, ours, seen, plan, facts.now);
  });
}

/** Incidents are of our own probes. */
function isOurs({ target, location, source }: WatchId): (incident: IncidentCounts) => boolean {
  return (incident) => source === 'active' && incident.target === target && incident.location === location;
}

/** Every judgement of every watch that came out so. */
export function countObjectives({ watches }: MonitorView): Readonly<Record<ObjectiveState, number>> {
  const counts = { met: 0, missed: 0, undecided: 0 };
  for (const { standing } of watches.flatMap((watch) => watch.judgements)) counts[standing] += 1;
  return counts;
}
