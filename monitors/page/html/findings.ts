import { thousands } from '@candleproof/law/reading/words';
import { nameCell, numberCell, wideTable } from '@candleproof/reports/run/table';
import { durationText, instantText, listSome, plural } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { sectionName } from '@candleproof/reports/words/wording';
import type { EventRecord } from '../../results/results-store.ts';
import { changedFields, type Grace, readNumber, readText } from '../events.ts';
import type { ReportedPlan } from '../plan-facts.ts';
import type { RuleSlots } from '../shown-days.ts';
import { type MonitorSummary, mustsJudgedText, type WatchSummary } from '../view.ts';
import { watchName } from '../watches.ts';
import { shownText } from '../wording.ts';
import { foldedPart, newestRows } from './pieces.ts';

/** Renders the broken musts and the causes of degraded slots, by rule, with links to explanations. */
export function brokenRulesPart(view: MonitorSummary): Markup {
  const { watches, plan } = view;
  const shown = shownText(view);
  const musts = ruleTable('Broken musts by rule', watches, ({ rules }) => rules, plan);
  const shoulds = ruleTable('What made slots degraded', watches, ({ degradedBy }) => degradedBy, plan);
  const broken = new Set(watches.flatMap(({ rules }) => rules.map(([rule]) => rule))).size;
  return foldedPart(
    view.state,
    'findings',
    'Findings',
    broken > 0 ? `${plural(broken, 'broken must')} ${shown}` : 'no broken must',
    markup`${
      musts
        ? markup`<p class="lead">Slots ${shown} in which a must was broken, by rule.</p>${musts}`
        : markup`<p>No breach of what was judged ${shown}:</p><ul>${[...Map.groupBy(watches, mustsJudgedText)].map(([judged, alike]) => markup`<li>${listWatches(alike)}: ${judged}</li>`)}</ul>`
    }${
      shoulds &&
      markup`<p class="lead">Slots ${shown} that were degraded, by the rule at should or the objective that they missed.</p>${shoulds}`
    }`,
  );
}

function ruleTable(
  caption: string,
  watches: readonly WatchSummary[],
  of: (view: WatchSummary) => readonly RuleSlots[],
  plan: ReportedPlan,
): Markup | undefined {
  const ids = [...new Set(watches.flatMap((watch) => of(watch).map(([rule]) => rule)))].toSorted();
  if (ids.length === 0) return undefined;
  const affected = watches.flatMap((view) => of(view).map(([rule, slots]) => ({ view, rule, slots })));
  const byRule = Map.groupBy(affected, ({ rule }) => rule);
  return wideTable({
    caption,
    heads: ['Rule', 'Slots', 'Where'],
    rows: ids.map((id) => {
      const most = (byRule.get(id) ?? []).toSorted((a, b) => b.slots - a.slots);
      const places = most.map(({ view, slots }) => `${watchName(view.watch)} ${thousands(slots)}`);
      const all = most.reduce((sum, { slots }) => sum + slots, 0);
      return [nameCell(ruleName(id, plan)), numberCell(thousands(all)), listSome(places, mostNamed)];
    }),
  });
}

/** More would make a table of many targets longer than anyone reads. */
const mostNamed = 6;

function listWatches(watches: readonly WatchSummary[]): string {
  return listSome(
    watches.map(({ watch }) => watchName(watch)),
    mostNamed,
  );
}

function ruleName(id: string, plan: ReportedPlan): Markup {
  const rule = findRule(id, plan);
  const link = ruleLink(id, plan);
  return rule
    ? markup`${link}<small>${rule.statement} ${sectionName(rule.section)}. Explained by: candleproof rules ${id}</small>`
    : link;
}

/** Renders a rule's id; an id from the store is linked only if the catalogue has it. */
export function ruleLink(id: string, plan: ReportedPlan): Markup {
  const name = markup`<code>${id}</code>`;
  return plan.rulesPage && findRule(id, plan)
    ? markup`<a href="${plan.rulesPage}#${id.replaceAll('/', '')}">${name}</a>`
    : name;
}

function findRule(
  id: string,
  { rules = {} }: ReportedPlan,
): { statement: string; section: string } | undefined {
  return Object.hasOwn(rules, id) ? rules[id] : undefined;
}

const maxListed = 40;

/** Renders closed candles that were later served with other values, and how long after their end that happened. */
export function restatedPart(view: MonitorSummary): Markup {
  const { events, grace, resets } = view.restatements;
  const none = events.length === 0 && resets.length === 0;
  return foldedPart(
    view.state,
    'restatements',
    'Restatements',
    `${plural(events.length, 'restated candle')}${resets.length > 0 ? `, ${plural(resets.length, 'new network')}` : ''}`,
    none
      ? markup`<p>None ${shownText(view)}: every closed candle that was seen again was the same.</p>`
      : markup`${grace.length > 0 && graceTable(grace)}
${resets.map(resetLine)}
${events.length > 0 && listRestatements(events)}`,
  );
}

function resetLine(event: EventRecord): Markup {
  const count = thousands(readNumber(event, 'candles') ?? 0);
  return markup`<p><b>New network</b> at ${event.target}, ${instantText(event.at)} UTC: none of the ${count} pinned candles was left, and their pins were dropped.</p>`;
}

function graceTable(grace: readonly Grace[]): Markup {
  return wideTable({
    caption: 'How long closed candles are still corrected',
    heads: ['Target', 'Interval', 'Candles', 'Latest correction after the end', 'Fields'],
    rows: grace.map(({ target, interval, candles, from, to, fields }) => [
      nameCell(target),
      interval,
      numberCell(thousands(candles)),
      `between ${durationText(from)} and ${durationText(to)}`,
      Object.entries(fields)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
    ]),
  });
}

function listRestatements(events: readonly EventRecord[]): Markup {
  const rows = events.map((event) => {
    const start = readNumber(event, 'start');
    return [
      instantText(event.at),
      event.target ?? '–',
      readNumber(event, 'pool') ?? '–',
      `${readText(event, 'interval') ?? ''} ${start === undefined ? '–' : instantText(start * 1000)}`,
      changedFields(event).join(', '),
    ];
  });
  const heads = ['Seen (UTC)', 'Target', 'Pool', 'Candle (UTC)', 'Changed'];
  return markup`<details><summary>${plural(events.length, 'restated candle')}</summary>${newestRows({ caption: 'Restated candles', heads, rows }, 'candle', maxListed)}</details>`;
}
