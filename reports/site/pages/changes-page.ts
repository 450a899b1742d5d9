import { markup } from '../../words/markup.ts';
import { runPath } from '../paths.ts';
import type { SiteFile } from '../site-records.ts';
import { differencePart, type Side, sidesLine } from './difference-part.ts';
import { plainHead, rootFrom, sitePage } from './site-page.ts';

/** A run's difference to the one before it, drawn ahead; a first run has none, and says so. */
export function changesFile(run: Side, before: Side | undefined): SiteFile {
  const { slug, id } = run;
  const path = `${runPath(slug, id)}changes/`;
  const root = rootFrom(path);
  const { target, startedAt } = run.run;
  const page = sitePage({
    path,
    title: `What changed by ${startedAt.slice(0, 10)}, ${target.name}`,
    trail: [
      { name: target.name, path: `t/${slug}/` },
      { name: startedAt.slice(0, 10), path: runPath(slug, id) },
      { name: 'changes', path },
    ],
    json: `${runPath(slug, id)}run.json`,
    header: plainHead('Candleproof · difference', 'What differs from the run before', [
      before
        ? sidesLine(before, run, root)
        : 'This is the first run: there is nothing before it that came to a verdict.',
      before &&
        markup`<a href="${root}compare/?a=${slug}/${before.id}&b=${slug}/${id}">Compare with another run</a>`,
    ]),
    main: before
      ? differencePart(before, run, root)
      : markup`<p class="lead">The next run will be compared with it.</p>`,
  });
  return [`${path}index.html`, page];
}
