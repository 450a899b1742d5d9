import { clip } from '../../words/escape.ts';
import { type Markup, markup } from '../../words/markup.ts';
import type { SiteFile, SiteRecords } from '../site-records.ts';
import type { Story } from '../story.ts';
import { namedLine } from './cells.ts';
import { plainHead, sitePage } from './site-page.ts';

/** Any two runs: the script reads both from the site and draws what differs. */
export function compareFile({ stories }: SiteRecords): SiteFile {
  const page = sitePage({
    path: 'compare/',
    title: 'Two runs compared',
    trail: [{ name: 'Compare', path: 'compare/' }],
    json: 'api/index.json',
    header: plainHead('Candleproof · difference', 'Two runs compared', [
      'New failures, fixed rules, rules no longer judged, and changed observations.',
    ]),
    main: markup`<form class="picker" method="get" action=".">${picker('a', 'From', stories)}${picker('b', 'To', stories)}<button>Compare</button></form>
<noscript><p class="note">Comparing any two runs takes a script. Each run’s difference to the one before it does not: it is linked from the page of that run.</p></noscript>
<div id="difference" aria-live="polite"></div>`,
    data: { page: 'compare' },
  });
  return ['compare/index.html', page];
}

function picker(name: string, label: string, stories: readonly Story[]): Markup {
  return markup`<label>${label}<select name="${name}" required><option value="">Choose a run</option>${stories.map(
    ({ target }) =>
      markup`<optgroup label="${clip(target.name, 80)}">${target.runs.toReversed().map((run) => markup`<option value="${target.slug}/${run.id}">${run.startedAt.slice(0, 16).replace('T', ' ')} ${namedLine(run)}</option>`)}</optgroup>`,
  )}</select></label>`;
}
