import { thousands } from '../../../contract/reading/thousands.ts';
import { wideTable } from '../../run/table.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import { sectionName } from '../../words/wording.ts';
import type { ReportedPlan } from '../plan.ts';
import type { RuleSlots } from '../shown-days.ts';
import { type MonitorView, mustsJudgedText, type WatchView } from '../view.ts';
import { watchName } from '../watches.ts';
import { shownText } from '../wording.ts';
import { folded } from './pieces.ts';

/** The musts that were broken, and what made slots degraded, by rule, with where each is explained. */
export function brokenRulesPart(view: MonitorView): Markup {
  const { watches, plan } = view;
  const shown = shownText(view);
  const musts = ruleTable('Broken musts by rule', watches, ({ rules }) => rules, plan);
  const shoulds = ruleTable('What made slots degraded', watches, ({ degradedBy }) => degradedBy, plan);
  const broken = new Set(watches.flatMap(({ rules }) => rules.map(([rule]) => rule))).size;
  return folded(
    view.state,
    'findings',
    'Findings',
    broken > 0 ? `${plural(broken, 'broken must')} ${shown}` : 'no broken must',
    markup`${
      musts
        ? markup`<p class="lead">Slots ${shown} in which a must was broken, by rule.</p>${musts}`
        : markup`<p>No breach of what was judged ${shown}:</p><ul>${watches.map((watch) => markup`<li>${watchName(watch.watch)}: ${mustsJudgedText(watch)}</li>`)}</ul>`
    }${
      shoulds &&
      markup`<p class="lead">Slots ${shown} that were degraded, by the rule at should or the objective that they missed.</p>${shoulds}`
    }`,
  );
}

function ruleTable(
  caption: string,
  watches: readonly WatchView[],
  of: (view: WatchView) => readonly RuleSlots[],
  plan: ReportedPlan,
): Markup | undefined {
  const ids = [...new Set(watches.flatMap((watch) => of(watch).map(([rule]) => rule)))].toSorted();
  if (ids.length === 0) return undefined;
  const affected = watches.filter((watch) => of(watch).length > 0);
  return wideTable({
    caption,
    heads: ['Rule', ...affected.map(({ watch }) => watchName(watch))],
    numbersFrom: 1,
    rows: ids.map((id) => [
      { value: ruleName(id, plan), is: 'name' },
      ...affected.map((watchView) => {
        const slots = of(watchView).find(([rule]) => rule === id)?.[1] ?? 0;
        return { value: thousands(slots), is: 'number' as const };
      }),
    ]),
  });
}

/** Renders a rule with its statement where it is one of the catalogue's. */
function ruleName(id: string, plan: ReportedPlan): Markup {
  const rule = findRule(id, plan);
  const link = ruleLink(id, plan);
  return rule
    ? markup`${link}<small>${rule.statement} ${sectionName(rule.section)}. Explained by: candleproof rules ${id}</small>`
    : link;
}

/** Renders a rule's id; one from the store is linked only where it is one of the catalogue's. */
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
