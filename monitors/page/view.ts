import { formatPercent } from '@candleproof/law/reading/words';
import { countText, durationText } from '@candleproof/reports/words/format';
import { AnnouncedWork, workWindow } from '../plan/announced-work.ts';
import type { EventRecord } from '../results/results-store.ts';
import { listRestatements, newestFirst } from './events.ts';
import type { PageState } from './html/page-state.ts';
import { judgedDays, judgedDetails, type WatchFacts } from './judged-days.ts';
import { isRed, verdictOfRun } from './newest-runs.ts';
import { listOutages, type Outage } from './outages.ts';
import type { MonitorFacts } from './page-facts.ts';
import type { ReportedPlan } from './plan-facts.ts';
import { presentCondition } from './present.ts';
import { listKeys } from './quota.ts';
import { shownDays, shownDetails } from './shown-days.ts';
import { groupByWatch, listWatches, type WatchId, watchId } from './watches.ts';

/** The state of all watches as data, before any markup, with the choices of the reader of a served page. */
export type MonitorSummary = ReturnType<typeof monitorSummary> & { readonly state?: PageState | undefined };

/** A report as data: a summary whose watches have their details. */
export type MonitorView = Omit<MonitorSummary, 'watches'> & { readonly watches: readonly WatchView[] };

/** Returns the view that the page of a target, or of all together, is rendered from. */
export function monitorView(facts: MonitorFacts, plan: ReportedPlan): MonitorView {
  const summary = monitorSummary(facts, plan);
  const watches = summary.watches.map((watch) => {
    const { outages, watchFacts } = watch;
    const judged = judgedDetails(watchFacts, outages, facts.now);
    return { ...watch, ...judged, ...shownDetails(watchFacts, facts.now) };
  });
  return { ...summary, watches };
}

/** Returns what the index and badges are rendered from: of each watch its condition, indicators and days. */
export function monitorSummary(facts: MonitorFacts, configured: ReportedPlan) {
  const { now, extent, quotas, events } = facts;
  const plan = withAnnounced(configured, events);
  const outages = listOutages(facts.incidents, now);
  const reported = new Set(['restatement', 'network-reset']);
  const keys = listKeys(quotas, events, plan, now, facts.paces);
  const ledger = new Set(keys.flatMap((key) => key.events));
  return {
    ...{ now, extent, plan, keys, outages },
    watches: summarizeWatches(facts, outages, plan),
    restatements: listRestatements(events),
    /** Alerts and the monitor's events, newest first. */
    others: newestFirst(events.filter((event) => !reported.has(event.kind) && !ledger.has(event))),
  };
}

/** Returns the plan with the planned work that was announced by command; the newest word about a target counts. */
function withAnnounced(plan: ReportedPlan, events: readonly EventRecord[]): ReportedPlan {
  const all = new AnnouncedWork();
  all.note(newestFirst(events).toReversed());
  const announced = all.works.map((work) => {
    const schedule = workWindow(work);
    return {
      target: work.target,
      window: `${schedule.from} to ${schedule.to}, UTC: ${work.words}`,
      schedule,
    };
  });
  return { ...plan, maintenance: [...plan.maintenance, ...announced] };
}

function summarizeWatches(
  facts: MonitorFacts,
  outages: readonly Outage[],
  plan: ReportedPlan,
): readonly WatchSummary[] {
  const [days, hours, past] = [groupByWatch(facts.days), groupByWatch(facts.hours), groupByWatch(facts.past)];
  const [extents, newestRuns] = [groupByWatch(facts.extents), groupByWatch(facts.newestRuns)];
  // A target that was never probed has no record.
  const planned = plan.probes.map(({ target, probe }) => ({
    series: { target, probe, operation: 'all', location: plan.location },
  }));
  return listWatches([...facts.days, ...facts.hours, ...facts.past, ...planned]).map((watch) => {
    const id = watchId(watch);
    const isOwn = ({ target, location }: Pick<WatchId, 'target' | 'location'>): boolean =>
      target === watch.target && location === watch.location;
    const musts = facts.musts.find(isOwn);
    const blindSince = facts.blind?.find(isOwn)?.since;
    const ours = {
      ...{ days: days.get(id) ?? [], hours: hours.get(id) ?? [], past: past.get(id) ?? [] },
      ...{ extents: extents.get(id) ?? [], newestRuns: newestRuns.get(id) ?? [], musts },
      ...{ incidents: [...facts.incidents, ...facts.pastIncidents].filter(isOwn), blindSince },
    };
    const own = outages.filter(({ incident }) => isOwn(incident));
    return summarizeWatch(watch, ours, own, plan, facts.now);
  });
}

export type WatchSummary = ReturnType<typeof summarizeWatch>;

export type WatchView = WatchSummary & ReturnType<typeof judgedDetails> & ReturnType<typeof shownDetails>;

function summarizeWatch(
  watch: WatchId,
  watchFacts: WatchFacts,
  outages: readonly Outage[],
  plan: ReportedPlan,
  now: number,
) {
  const { newestRuns, musts } = watchFacts;
  const deepRun = newestRuns
    .filter(({ series }) => series.operation === 'all')
    .toSorted((a, b) => b.scheduledAt - a.scheduledAt)[0];
  const judged = judgedDays(watchFacts, plan, now);
  const { ok = 0, degraded = 0 } = judged.totals.outcomes;
  const seen = { outages, deepRun, isProven: ok + degraded > 0 };
  return {
    ...{ watch, watchFacts, outages, musts },
    present: presentCondition(watch, watchFacts, seen, plan, now),
    /** The newest conclusive deep run. */
    deepRun,
    ...judged,
    ...shownDays(watchFacts, now),
  };
}

/** `the 21 of 62 musts that these probes judge`: breaches of other musts go unnoticed. */
export function mustsJudgedText({ musts }: Pick<WatchSummary, 'musts'>): string {
  if (!musts) return 'the musts that these probes judge';
  return `the ${musts.musts} of ${musts.of} musts that these probes judge`;
}

/** Words the findings in a sentence, and never claims more than was judged. */
export function correctnessText(view: WatchSummary): string {
  const { correctness, totals } = view;
  if (!correctness) return 'Nothing was judged.';
  const broken = Object.keys(totals.rules).length;
  const judged = mustsJudgedText(view);
  if (broken === 0 && correctness.good === correctness.total) return `No breach of ${judged}.`;
  return `${formatPercent(correctness.share)} of slots without a breach (${countText(correctness)}), by ${judged}.`;
}

/** `The newest deep run, 3 h ago, is nonconformant: candle/average.`; undefined if there was none. */
export function deepRunText({ deepRun }: WatchSummary, now: number): string | undefined {
  if (!deepRun) return undefined;
  const age = durationText(Math.max(0, now - deepRun.scheduledAt));
  const broken = isRed(deepRun) ? `: ${deepRun.rules.slice(0, 4).join(', ')}` : '';
  return `The newest deep run, ${age} ago, is ${verdictOfRun(deepRun)}${broken}.`;
}
