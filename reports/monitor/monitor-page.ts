import { contentLinks, page } from '../run/page.ts';
import { type Markup, markup } from '../words/markup.ts';
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

/**
 * Renders the report of the monitors as one HTML file: no script, no external request, every text of a target escaped,
 * the same bytes for the same facts. The element with the id `monitor` holds its figures as JSON.
 */
export function monitorPage(facts: MonitorFacts, plan: ReportedPlan): string {
  const found = monitorView(facts, plan);
  const view = { ...found, watches: worstFirst(found.watches) };
  return frame(
    view,
    markup`${fullParts(view)}
${quotaPart(view)}
${occurrenceParts(view)}
${noticesPart(view)}
${methodPart(view)}`,
    monitorNumbers(found),
  );
}

/**
 * Renders a served page: the index of all targets, which stays small however many there are, or the target that `state`
 * names, with figures as JSON. `state` holds the choices of its reader, and when it reloads.
 */
export function servedPage(facts: MonitorFacts, plan: ReportedPlan, state: PageState): string {
  return state.target === undefined ? indexPage(facts, plan, state) : targetPage(facts, plan, state);
}

function indexPage(facts: MonitorFacts, plan: ReportedPlan, state: PageState): string {
  const found = monitorSummary(facts, plan);
  const view = { ...found, watches: worstFirst(found.watches), state };
  return frame(
    view,
    markup`${watchRows(view)}
${provenPart(view)}
${quotaPart(view)}
${occurrenceParts(view)}
${noticesPart(view)}
${methodPart(view, "each target's page")}`,
  );
}

function targetPage(facts: MonitorFacts, plan: ReportedPlan, state: PageState): string {
  const found = monitorView(facts, planOf(plan, state.target ?? ''));
  const view = { ...found, watches: worstFirst(found.watches), state };
  return frame(
    view,
    markup`${fullParts(view)}
${occurrenceParts(view)}
${methodPart(view)}`,
    monitorNumbers(found),
  );
}

function fullParts(view: MonitorView): Markup {
  return markup`${watchRows(view)}
${provenPart(view)}
${view.watches.map((watch, index) => watchPart(watch, index, view))}`;
}

function occurrenceParts(view: MonitorSummary): Markup {
  return markup`${incidentsPart(view)}
${restatedPart(view)}
${brokenRulesPart(view)}
${alertsPart(view)}`;
}

function frame(view: MonitorSummary, main: Markup, numbers?: MonitorNumbers): string {
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
    main,
    embedded: numbers && { id: 'monitor', value: numbers },
    moreStyles: monitorStyles + windowStyles + ninesStyles + incidentStyles + alarmStyles,
  });
}
