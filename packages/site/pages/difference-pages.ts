import { clip } from '@candleproof/reports/words/escape';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import { runPath, siteName } from '../paths.ts';
import type { SiteFile, SiteRecords } from '../site-records.ts';
import type { Story } from '../story.ts';
import { differencePart, type Side, sidesLine } from './difference-part.ts';
import { namedLine } from './runs-over-time.ts';
import { parentsOfRun, plainHead, rootFrom, sitePage } from './site-page.ts';

/** Renders a run's difference to the conclusive run before it; the page of a first run states that it has none. */
export function changesFile(run: Side, before: Side | undefined): SiteFile {
  const { slug, id } = run;
  const path = `${runPath(slug, id)}changes/`;
  const root = rootFrom(path);
  const { target, startedAt } = run.run;
  return sitePage({
    path,
    title: before
      ? `What changed by ${startedAt.slice(0, 10)}, ${siteName(target)}`
      : `Nothing before ${startedAt.slice(0, 10)}, ${siteName(target)}`,
    crumb: 'changes',
    parents: parentsOfRun(run),
    json: `${runPath(slug, id)}run.json`,
    header: plainHead(
      'Candleproof · difference',
      before ? 'What differs from the run before' : 'No run before this one came to a verdict',
      [
        before && sidesLine(before, run, root),
        before &&
          markup`<a href="${root}compare/?a=${slug}/${before.id}&b=${slug}/${id}">Compare with another run</a>`,
      ],
    ),
    main: before
      ? differencePart(before, run, root)
      : markup`<p class="lead">There is nothing to compare it with. The next run will be compared with this one if this one came to a verdict.</p>`,
  });
}

/** Renders the page on which the script compares any two runs of the site. */
export function compareFile({ stories }: SiteRecords): SiteFile {
  return sitePage({
    path: 'compare/',
    title: 'Two runs compared',
    crumb: 'Compare',
    header: plainHead('Candleproof · difference', 'Two runs compared', [
      'New failures, fixed rules, rules no longer judged, and changed observations.',
    ]),
    main: markup`<form class="picker" method="get" action=".">${picker('a', 'From', stories)}${picker('b', 'To', stories)}<button>Compare</button></form>
<noscript><p class="note">Comparing any two runs takes a script. Each run’s difference to the one before it does not: it is linked from the page of that run.</p></noscript>
<div id="difference" aria-live="polite"></div>`,
    data: { page: 'compare' },
  });
}

function picker(name: string, label: string, stories: readonly Story[]): Markup {
  return markup`<label>${label}<select name="${name}" required><option value="">Choose a run</option>${stories.map(
    ({ target }) =>
      markup`<optgroup label="${clip(target.name, 80)}">${target.runs.toReversed().map((run) => markup`<option value="${target.slug}/${run.id}">${run.startedAt.slice(0, 16).replace('T', ' ')} ${namedLine(run)}</option>`)}</optgroup>`,
  )}</select></label>`;
}
