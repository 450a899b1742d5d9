import { contentLinks, page } from '@candleproof/reports/run/page';
import { Markup, markup } from '@candleproof/reports/words/markup';
import type { MonitorFacts } from './facts.ts';
import { alarmStyles } from './html/alarm-cards.ts';
import { alertsPart, incidentsPart, noticesPart } from './html/alerts.ts';
import { brokenRulesPart, restatedPart } from './html/findings.ts';
import { brandText, headerPart } from './html/header.ts';
import { incidentStyles } from './html/incident-chart.ts';
import { methodPart } from './html/method.ts';
import { type PageState, partAddress, stateAddress } from './html/pieces.ts';
import { ninesStyles, provenPart } from './html/proven.ts';
import { quotaPart } from './html/quota.ts';
import { monitorStyles } from './html/styles.ts';
import { watchPart } from './html/watch.ts';
import { watchRows, windowStyles } from './html/watch-rows.ts';
import { type MonitorNumbers, monitorNumbers } from './numbers.ts';
import { planOf, type ReportedPlan } from './plan.ts';
import { presentTitle, worstFirst } from './present.ts';
import { type MonitorSummary, type MonitorView, monitorSummary, monitorView } from './view.ts';
import type { WatchId } from './watches.ts';

/**
 * Renders the report of the monitors as one HTML file: no script, no external request, every text of a target escaped,
 * the same bytes for the same facts. The element with the id `monitor` holds its figures as JSON.
 */
export function monitorPage(facts: MonitorFacts, plan: ReportedPlan): string {
  return fullPage(monitorView(facts, plan));
}

/**
 * Renders a served page: the index of all targets, which stays small however many there are, or the target that `state`
 * names, with figures as JSON. `state` holds the choices of its reader, and when it reloads.
 */
export function servedPage(facts: MonitorFacts, plan: ReportedPlan, state: PageState): string {
  if (state.target !== undefined) return fullPage(monitorView(facts, planOf(plan, state.target)), state);
  const found = monitorSummary(withoutRemoved(facts, plan), plan);
  const view = { ...found, watches: worstFirst(found.watches), state };
  return frame(view, listParts(view, "each target's page"));
}

/** Returns the facts without targets of the plan's location that its config has no more. */
function withoutRemoved(facts: MonitorFacts, { location, probes }: ReportedPlan): MonitorFacts {
  const planned = new Set(probes.map(({ target }) => target));
  const isLeft = (of: Pick<WatchId, 'target' | 'location'>): boolean =>
    of.location !== location || planned.has(of.target);
  const isLeftSeries = ({ series }: { readonly series: WatchId }): boolean => isLeft(series);
  return {
    ...facts,
    ...{ days: facts.days.filter(isLeftSeries), hours: facts.hours.filter(isLeftSeries) },
    ...{ past: facts.past.filter(isLeftSeries), extents: facts.extents.filter(isLeftSeries) },
    ...{ newestRuns: facts.newestRuns.filter(isLeftSeries), incidents: facts.incidents.filter(isLeft) },
  };
}

function fullPage(found: MonitorView, state?: PageState): string {
  const view = { ...found, watches: worstFirst(found.watches), state };
  const details = markup`${view.watches.map((watch, index) => watchPart(watch, index, view))}`;
  return frame(view, listParts(view, 'this page', [details]), monitorNumbers(found));
}

/** Lists the parts of a page; that of one target lacks those that concern its monitor. */
function listParts(view: MonitorSummary, numbersPlace: string, details: readonly Markup[] = []): Markup[] {
  const isOfAll = view.state?.target === undefined;
  return [
    ...[watchRows(view), provenPart(view), ...details],
    ...(isOfAll ? [quotaPart(view)] : []),
    ...[incidentsPart(view), restatedPart(view), brokenRulesPart(view), alertsPart(view)],
    ...(isOfAll ? [noticesPart(view)] : []),
    methodPart(view, numbersPlace),
  ];
}

function frame(view: MonitorSummary, parts: readonly Markup[], numbers?: MonitorNumbers): string {
  const { state, watches, now } = view;
  const targets = new Set(watches.map(({ watch }) => watch.target));
  return page({
    title: `${presentTitle(watches, now)} · ${brandText(state)}`,
    kind: brandText(state).replace('Candleproof ', ''),
    contents: contentLinks([
      [partAddress(state, 'watches'), targets.size, targets.size === 1 ? 'target' : 'targets'],
      [partAddress(state, 'proven'), undefined, 'Objectives'],
      [partAddress(state, 'incidents'), view.outages.length, 'incidents'],
      ...(state?.target === undefined
        ? [[partAddress(state, 'quota'), view.keys.length, view.keys.length === 1 ? 'key' : 'keys'] as const]
        : []),
      [partAddress(state, 'method'), undefined, 'Method'],
    ]),
    header: headerPart(view),
    refresh: state?.refresh === undefined ? undefined : `${state.refresh}; url=${stateAddress(state)}`,
    main: markup`${parts.map((part, at) => [at > 0 && new Markup('\n'), part])}`,
    embedded: numbers && { id: 'monitor', value: numbers },
    moreStyles: monitorStyles + windowStyles + ninesStyles + incidentStyles + alarmStyles,
  });
}
