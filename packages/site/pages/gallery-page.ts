import { thousands } from '@candleproof/law/reading/words';
import { nameCell, termList, wideTable } from '@candleproof/reports/run/table';
import { clip, embedJson } from '@candleproof/reports/words/escape';
import { plural } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import type { GalleryEntry, SiteFile } from '../site-records.ts';
import { plainHead, sitePage } from './site-page.ts';

/** Written last, after the gallery's page. */
export const galleryJson = 'api/gallery.json';

/** Returns the page of the public APIs whose documents are in the package, and the same as JSON. */
export function galleryFiles(gallery: readonly GalleryEntry[]): SiteFile[] {
  const page = sitePage({
    path: 'gallery/',
    title: 'Gallery',
    json: galleryJson,
    header: plainHead('Candleproof', `Gallery: documents of ${plural(gallery.length, 'public API')}`, [
      'Public market-data APIs whose documents come with the package, with what can be judged of each.',
      'The documents are written by hand from the pages that they name; an API may have changed since.',
    ]),
    main: markup`<section aria-label="All documents">${galleryTable(gallery)}</section>${gallery.map(entryPart)}`,
  });
  return [page, [galleryJson, embedJson({ $schema: 'schema.json', kind: 'gallery', entries: gallery })]];
}

/** Renders a row for each document; its name leads to the details. */
function galleryTable(gallery: readonly GalleryEntry[]): Markup {
  return wideTable({
    caption: 'Documents of the gallery',
    heads: ['API', 'Host', 'Judged', 'Requests', 'Check it'],
    rows: gallery.map((entry) => [
      nameCell(markup`<a href="#${entry.name}">${clip(entry.title, 80)}</a>`),
      URL.parse(entry.server)?.host ?? clip(entry.server, 80),
      judgedText(entry),
      requestsText(entry),
      markup`<code>${checkCommand(entry)}</code>`,
    ]),
  });
}

function judgedText({ groups, all }: GalleryEntry): string {
  const judged = groups.reduce((sum, group) => sum + group.judged, 0);
  return `${judged} of ${all} rules and questions`;
}

function requestsText({ ratePerMinute, needsKey }: GalleryEntry): string {
  const rate = ratePerMinute === undefined ? [] : [`at most ${thousands(ratePerMinute)} a minute`];
  return [...rate, needsKey ? 'with a key' : 'without a key'].join(', ');
}

function checkCommand({ name, needsKey }: GalleryEntry): string {
  return `npx candleproof check --spec ${name}${needsKey ? ' --api-key-file key' : ''}`;
}

function entryPart(entry: GalleryEntry): Markup {
  const { name, title, summary, groups, source, read, server, pools } = entry;
  const facts: [string, Markup | string][] = [
    ['Judged', judgedText(entry)],
    ['By group', groups.map((group) => `${group.group} ${group.judged} of ${group.of}`).join(', ')],
    ['Intervals', entry.intervals.join(', ')],
    ['Without trades', entry.lacksIdle ? 'an interval may have no row' : 'an interval has a row'],
    [
      'Limits',
      [
        ...(entry.maxRows === undefined ? [] : [`${plural(entry.maxRows, 'row')} in a response`]),
        ...(entry.ratePerMinute === undefined ? [] : [`${plural(entry.ratePerMinute, 'request')} a minute`]),
        entry.needsKey ? 'a key' : 'no key',
      ].join(', '),
    ],
    ['Sample pools', pools.join(', ')],
    ['Server', server],
    ['Source', markup`<code>${clip(source, 200)}</code>, read on ${read}`],
  ];
  return markup`<section aria-labelledby="${name}"><h2 id="${name}">${clip(title, 80)}</h2><p class="lead">${clip(summary, 300)}</p>
${termList('facts', facts)}
<pre class="command">${checkCommand(entry)}</pre></section>`;
}
