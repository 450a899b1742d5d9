import { mark } from '../../run/marks.ts';
import { compareSections } from '../../run/rules.ts';
import { clip } from '../../words/escape.ts';
import { joinParts, type Markup, markup } from '../../words/markup.ts';
import { sectionName } from '../../words/wording.ts';
import { isBroken } from '../difference.ts';
import { hasPage, rulePath } from '../paths.ts';
import type { RuleRecord, SiteFile, SiteRecords } from '../site-records.ts';
import { plainHead, sitePage } from './site-page.ts';

/** Renders all rules by section, each with its outcome at every target. */
export function rulesFile(records: SiteRecords): SiteFile {
  const groups = [...Map.groupBy(records.rules, ({ section }) => section)].sort(([a], [b]) =>
    compareSections(a, b),
  );
  return sitePage({
    path: 'rules/',
    title: 'Rules',
    trail: [['Rules', 'rules/']],
    json: 'api/rules.json',
    header: plainHead('Candleproof', 'Rules', [
      'What every run was judged by, section by section of the document.',
    ]),
    main: markup`${groups.map(([section, rules], at) => markup`<section aria-labelledby="s${at}"><h2 id="s${at}">${sectionName(section)}</h2><ul class="change-list">${rules.map((rule) => line(rule, records))}</ul></section>`)}`,
  });
}

function line({ id, level, statement }: RuleRecord, { stories }: SiteRecords): Markup {
  const failing = stories.filter(({ judged, outcomes }) => {
    return isBroken(outcomes.get(judged?.id ?? '')?.get(id)?.outcome);
  });
  const name = clip(id, 120);
  return markup`<li>${failing.length > 0 && mark('failed')} <b>${level}</b> ${clip(statement, 300)} <code>${hasPage(id) ? markup`<a href="../${rulePath(id)}">${name}</a>` : name}</code>${failing.length > 0 && markup` fails at ${joinParts(failing.map(({ target }) => markup`<a href="../t/${target.slug}/">${clip(target.name, 80)}</a>`))}`}</li>`;
}
