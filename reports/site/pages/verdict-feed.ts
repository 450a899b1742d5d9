import { clip } from '../../words/escape.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { runPath } from '../paths.ts';
import { compareTexts, type RunRecord } from '../records.ts';
import type { SiteRecords } from '../site-records.ts';
import { findChange, type Story } from '../story.ts';

const mostEntries = 50;
const mostRules = 10;

type Changed = { readonly story: Story; readonly run: RunRecord; readonly before: RunRecord };

/** Renders the feed of changed verdicts (Atom, RFC 4287), the newest first; its links lead from the site's root. */
export function verdictFeed({ stories, now }: SiteRecords): string {
  const all = stories
    .flatMap(listChanges)
    .toSorted((a, b) => compareTexts(b.run.startedAt, a.run.startedAt) || compareTexts(a.run.id, b.run.id));
  const { source } =
    markup`<feed xmlns="http://www.w3.org/2005/Atom"><title>Candleproof: changed verdicts</title><id>urn:candleproof:verdicts</id><updated>${all[0]?.run.startedAt ?? now}</updated><author><name>Candleproof</name></author><link rel="alternate" href="./"/>
${all.slice(0, mostEntries).map(entry)}</feed>
`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${source}`;
}

/** Lists the runs of a target that came to another verdict than the one before them. */
function listChanges(story: Story): Changed[] {
  const runs = new Map(story.target.runs.map((run) => [run.id, run]));
  return story.target.runs.flatMap((run) => {
    const before = runs.get(run.before ?? '');
    const isChange = before && run.verdict !== 'inconclusive' && before.verdict !== run.verdict;
    return isChange ? [{ story, run, before }] : [];
  });
}

function entry({ story: { target, outcomes }, run, before }: Changed): Markup {
  const { failing = [], mended = [] } = findChange(run, outcomes) ?? {};
  const listed = (words: string, changes: typeof failing): string =>
    changes.length === 0
      ? ''
      : `; ${changes.length} ${words}: ${changes
          .slice(0, mostRules)
          .map(({ id }) => clip(id, 120))
          .join(', ')}`;
  return markup`<entry><title>${clip(target.name, 80)}: ${run.verdict}, before ${before.verdict}</title><id>urn:candleproof:run:${target.slug}:${run.id}</id><updated>${run.startedAt}</updated><link rel="alternate" href="${runPath(target.slug, run.id)}"/><summary>${run.startedAt.slice(0, 16).replace('T', ' ')} UTC${listed('newly failing', failing)}${listed('mended', mended)}</summary></entry>
`;
}
