import { type Markup, markup } from '../../markup.ts';
import { thousands } from '../../tally.ts';
import { sectionName } from '../../wording.ts';
import type { MonitorPlan } from '../plan.ts';
import { daysShown } from '../spans.ts';
import type { MonitorView } from '../view.ts';
import { watchName } from '../watches.ts';
import { section, wideTable } from './table.ts';

/** The musts that were broken, by rule, with where each is explained. */
export function brokenRulesPart({ watches, plan }: MonitorView): Markup {
  const ids = [...new Set(watches.flatMap((each) => each.rules.map(([rule]) => rule)))].toSorted();
  if (ids.length === 0) {
    return section('findings', 'Findings', markup`<p>No must was broken in the last ${daysShown} days.</p>`);
  }
  const own = watches.filter((each) => each.rules.length > 0);
  const table = wideTable({
    caption: 'Broken musts by rule',
    heads: ['Rule', ...own.map(({ watch }) => watchName(watch))],
    numbersFrom: 1,
    rows: ids.map((id) => [
      { value: nameOf(id, plan), is: 'name' },
      ...own.map((each) => {
        const slots = each.rules.find(([rule]) => rule === id)?.[1] ?? 0;
        return { value: thousands(slots), is: 'number' as const };
      }),
    ]),
  });
  return section(
    'findings',
    'Findings',
    markup`<p class="lead">Slots of the last ${daysShown} days in which a must was broken, by rule.</p>${table}`,
  );
}

/** An id from the store is linked only where it is one of the catalogue's. */
function nameOf(id: string, { rules = {}, rulesPage }: MonitorPlan): Markup {
  const rule = Object.hasOwn(rules, id) ? rules[id] : undefined;
  const name = markup`<code>${id}</code>`;
  if (!rule) return name;
  const link = rulesPage ? markup`<a href="${rulesPage}#${id.replaceAll('/', '')}">${name}</a>` : name;
  return markup`${link}<small>${rule.statement} ${sectionName(rule.section)}. Explained by: candleproof rules ${id}</small>`;
}
