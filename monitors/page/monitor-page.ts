import { contentLinks, page } from '@candleproof/reports/run/page';
import { Markup, markup } from '@candleproof/reports/words/markup';
import { alarmStyles } from './html/alarm-cards.ts';
import { alertsPart, incidentsPart, noticesPart } from './html/alert-list.ts';
import { brokenRulesPart, restatedPart } from './html/findings.ts';
import { brandText, headerPart } from './html/header.ts';
import { incidentStyles } from './html/incident-chart.ts';
import { methodPart } from './html/method.ts';
import { indexFile, type PageState, partAddress, stateAddress } from './html/page-state.ts';
import { ninesStyles, provenPart } from './html/proven.ts';
import { quotaPart } from './html/quota-section.ts';
import { monitorStyles } from './html/styles.ts';
import { indexScript, indexStyles, targetIndex } from './html/target-index.ts';
import { undecidedPart } from './html/undecided.ts';
import { watchRows, windowStyles } from './html/watch-rows.ts';
import { watchPart } from './html/watch-section.ts';
import { type MonitorNumbers, monitorNumbers } from './numbers.ts';
import { type MonitorFacts, selectFacts, withoutRemoved } from './page-facts.ts';
import { planOf, type ReportedPlan } from './plan-facts.ts';
import { presentTitle, worstFirst } from './present.ts';
import { type MonitorSummary, type MonitorView, monitorSummary, monitorView } from './view.ts';

/**
 * Renders the report of the monitors: the page of its only target in full, or an index of all and a page for each, as
 * files that lie beside each other. No external request, every text of a target escaped, the same bytes for the same
 * facts. On a page of one target the element with the id `monitor` holds its figures as JSON.
 */
export function monitorPages(facts: MonitorFacts, plan: ReportedPlan): Readonly<Record<string, string>> {
  const summary = monitorSummary(facts, plan);
  const files = targetFiles(listTargets(summary));
  if (files.size <= 1) return { [indexFile]: fullPage(monitorView(facts, plan)) };
  const pages = [...files].map(([target, file]) => {
    const view = monitorView(selectFacts(facts, target), planOf(plan, target));
    return [file, fullPage(view, { open: [], files, target })];
  });
  return { [indexFile]: indexPage(summary, { open: [], files }), ...Object.fromEntries(pages) };
}

/**
 * Renders a served page: the index of all targets, which stays small however many there are, or the target that `state`
 * names, with figures as JSON. `state` holds the choices of its reader, and when it reloads.
 */
export function servedPage(facts: MonitorFacts, plan: ReportedPlan, state: PageState): string {
  if (state.target !== undefined) return fullPage(monitorView(facts, planOf(plan, state.target)), state);
  return indexPage(monitorSummary(withoutRemoved(facts, plan), plan), state);
}

function listTargets({ watches }: Pick<MonitorSummary, 'watches'>): string[] {
  return [...new Set(watches.map(({ watch }) => watch.target))];
}

/** Names the file of each target: by its name where every disk and address allows it, and unlike each other anywhere. */
function targetFiles(targets: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const target of targets) {
    const plain = target
      .toLowerCase()
      .replace(/[^a-z0-9.-]+/g, '-')
      .slice(0, longestFile);
    let [name, count] = [plain, 1];
    while (taken.has(name)) name = `${plain}_${++count}`;
    taken.add(name);
    names.set(target, `target-${name}.html`);
  }
  return names;
}

const longestFile = 60;

function fullPage(found: MonitorView, state?: PageState): string {
  const view = { ...found, watches: worstFirst(found.watches), state };
  const details = view.watches.map((watch, index) => watchPart(watch, index, view));
  const parts = [watchRows(view), provenPart(view), markup`${details}`, ...endParts(view, 'this page')];
  return frame(view, parts, { numbers: monitorNumbers(found) });
}

function indexPage(found: MonitorSummary, state: PageState): string {
  const view = { ...found, watches: worstFirst(found.watches), state };
  if (view.watches.length === 0) return frame(view, [watchRows(view), ...endParts(view, placeOfNumbers)]);
  const parts = [undecidedPart(view), targetIndex(view, state), ...endParts(view, placeOfNumbers)];
  return frame(view, parts, { script: indexScript });
}

const placeOfNumbers = "each target's page";

/** Lists the last parts of a page; that of one target lacks those that concern its monitor. */
function endParts(view: MonitorSummary, numbersPlace: string): Markup[] {
  const isOfAll = view.state?.target === undefined;
  return [
    ...(isOfAll ? [quotaPart(view)] : []),
    ...[incidentsPart(view), restatedPart(view), brokenRulesPart(view), alertsPart(view)],
    ...(isOfAll ? [noticesPart(view)] : []),
    methodPart(view, numbersPlace),
  ];
}

type Extras = { readonly numbers?: MonitorNumbers; readonly script?: string };

function frame(view: MonitorSummary, parts: readonly Markup[], { numbers, script }: Extras = {}): string {
  const { state, watches, now } = view;
  const targets = listTargets(view);
  return page({
    title: `${presentTitle(watches, now)} · ${brandText(state)}`,
    kind: brandText(state).replace('Candleproof ', ''),
    contents: contentLinks([
      [partAddress(state, 'watches'), targets.length, targets.length === 1 ? 'target' : 'targets'],
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
    moreStyles:
      monitorStyles +
      windowStyles +
      (script === undefined ? ninesStyles : indexStyles) +
      incidentStyles +
      alarmStyles,
    script,
  });
}
