import { page } from '../run/page.ts';
import { markup } from '../words/markup.ts';
import type { MonitorFacts } from './facts.ts';
import { alertsPart, incidentsPart } from './html/alerts.ts';
import { brokenRulesPart, restatedPart } from './html/findings.ts';
import { headerPart } from './html/header.ts';
import { methodPart } from './html/method.ts';
import { type PageState, stateAddress } from './html/pieces.ts';
import { provenPart } from './html/proven.ts';
import { quotaPart } from './html/quota.ts';
import { monitorStyles } from './html/styles.ts';
import { watchPart } from './html/watch.ts';
import { watchRows, windowStyles } from './html/watch-rows.ts';
import { monitorNumbers } from './numbers.ts';
import type { ReportedPlan } from './plan.ts';
import { presentTitle, worstFirst } from './present.ts';
import { monitorView } from './view.ts';

/**
 * Renders the report of the monitors as one HTML file: no script, no external request, every text of a target escaped,
 * the same bytes for the same facts. The element with the id `monitor` holds its figures as JSON. `state` is for a
 * served page: the choices of its reader, and when it reloads.
 */
export function monitorPage(facts: MonitorFacts, plan: ReportedPlan, state?: PageState): string {
  const found = monitorView(facts, plan);
  const view = { ...found, watches: worstFirst(found.watches), state };
  return page({
    title: `${presentTitle(view.watches, view.now)} · Candleproof monitors`,
    header: headerPart(view),
    refresh: state?.refresh === undefined ? undefined : `${state.refresh}; url=${stateAddress(state)}`,
    main: markup`${watchRows(view)}
${provenPart(view)}
${view.watches.map((watch, index) => watchPart(watch, index, view))}
${quotaPart(view)}
${incidentsPart(view)}
${restatedPart(view)}
${brokenRulesPart(view)}
${alertsPart(view)}
${methodPart(view)}`,
    embedded: { id: 'monitor', value: monitorNumbers(found) },
    moreStyles: monitorStyles + windowStyles,
  });
}
