import { clip, embedJson } from '../../words/escape.ts';
import { type Markup, markup } from '../../words/markup.ts';
import { plural } from '../../words/tally.ts';
import type { GalleryEntry, SiteFile } from '../site-records.ts';
import { plainHead, sitePage } from './site-page.ts';

/** Written after the page. */
export const galleryJson = 'api/gallery.json';

/** Returns the page of the public APIs whose documents are in the package, and the same as JSON. */
export function galleryFiles(gallery: readonly GalleryEntry[]): SiteFile[] {
  const page = sitePage({
    path: 'gallery/',
    title: 'Gallery',
    trail: [['Gallery', 'gallery/']],
    json: galleryJson,
    header: plainHead('Candleproof', 'Gallery', [
      'Public market-data APIs whose documents come with the package, with what can be judged of each.',
      'The documents are written by hand from the pages that they name; an API may have changed since.',
    ]),
    main: markup`${gallery.map(entryPart)}`,
  });
  return [page, [galleryJson, embedJson({ $schema: 'schema.json', kind: 'gallery', entries: gallery })]];
}

function entryPart(entry: GalleryEntry): Markup {
  const { name, title, summary, groups, all, source, read, server, pools } = entry;
  const judged = groups.reduce((sum, group) => sum + group.judged, 0);
  const facts: [string, Markup | string][] = [
    ['Judged', `${judged} of ${all} rules and questions`],
    ['By group', groups.map((group) => `${group.group} ${group.judged} of ${group.of}`).join(', ')],
    ['Intervals', entry.intervals.join(', ')],
    ['Without trades', entry.lacksIdle ? 'an interval may have no row' : 'an interval has a row'],
    ['Limits', listLimits(entry).join(', ')],
    ['Sample pools', pools.join(', ')],
    ['Server', server],
    ['Source', markup`<code>${clip(source, 200)}</code>, read on ${read}`],
  ];
  return markup`<section aria-labelledby="${name}"><h2 id="${name}">${clip(title, 80)}</h2><p class="lead">${clip(summary, 300)}</p>
<dl class="facts">${facts.map(([fact, value]) => markup`<div><dt>${fact}</dt><dd>${value}</dd></div>`)}</dl>
<pre class="command">npx candleproof check --spec ${name}${entry.needsKey && ' --api-key-file key'}</pre></section>`;
}

function listLimits({ maxRows, ratePerMinute, needsKey }: GalleryEntry): string[] {
  return [
    ...(maxRows === undefined ? [] : [`${plural(maxRows, 'row')} in a response`]),
    ...(ratePerMinute === undefined ? [] : [`${plural(ratePerMinute, 'request')} a minute`]),
    needsKey ? 'a key' : 'no key',
  ];
}
